/** "Who sees what" has one question, and the answers to all callers. */
import { outcome, settled, startDemo, type } from './demo.js'

const { visit, ask, callers } = await startDemo()

visit("each caller's total, and which of the records each sees", async (t, page) => {
  await page.getByRole('tab', { name: 'Records' }).focus()
  await type(page, 'ArrowRight')
  const roles = await page.locator('#matrix thead button b').allInnerTexts()
  t.strictSame(
    roles,
    callers.map(({ role }) => role)
  )
  const [newest, ...answers] = await Promise.all(
    ['Admin', ...roles].map((role) => ask(role, 'assessment/list?search='))
  )
  t.strictSame(
    await page.locator('#matrix thead th > span').allInnerTexts(),
    answers.map(({ status, body }) => (status === 200 ? body.total.toLocaleString('en') : `HTTP ${status}`))
  )
  const idsOf = (answer = newest) =>
    ((answer?.body.assessments ?? []) as { assessment_id: string }[]).map(({ assessment_id }) => assessment_id)
  const expected = idsOf().map((id) => answers.map((answer) => (idsOf(answer).includes(id) ? 'yes' : 'no')))
  const rows = await page.locator('#matrix tbody tr').all()
  t.strictSame(await Promise.all(rows.map((row) => row.locator('td .unseen').allInnerTexts())), expected)
  t.ok(new Set(expected.map(String)).size > 1)
  t.match(await page.locator('#who-outcome').innerText(), /^5,000 assessments match in all\.$/)
  t.match(await page.locator('#matrix tbody bdi.faint').first().innerHTML(), /^[^@]+<wbr>@[^@]+$/)
  await page.locator('#matrix button[value="Practitioner"]').focus()
  await page.keyboard.press('Enter')
  await settled(page)
  t.equal(await outcome(page), '1,522 assessments, page 1 of 127', 'the caller is the one of the column')
})
