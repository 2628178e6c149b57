/** In "Who sees what" the reach of each role can be changed: lists for it answer, or the library says why there are none. */
import type { Page } from 'playwright-core'
import { open, settled, show, startDemo } from './demo.js'

const { visit, address } = await startDemo()

async function change(page: Page, of: string, which: string, to: string, value: string) {
  await page.getByLabel(of, { exact: true }).selectOption(which)
  await page.getByLabel(to, { exact: true }).selectOption(value)
  await settled(page)
}
const totals = async (page: Page) => {
  const [roles, counts] = await Promise.all(
    ['thead button b', 'thead th > span'].map((part) => page.locator(`#matrix ${part}`).allInnerTexts())
  )
  return Object.fromEntries((roles ?? []).map((role, index) => [role, counts?.[index]]))
}

visit('each reach answers at once, beside its code', async (t, page) => {
  await open(page, '?list=certificates&view=who')
  await page.getByText('Change who sees what').click()
  const before = await totals(page)
  for (const [reach, code, total] of [
    ['all', "Individual: 'all'", '1,200'],
    ['none', "Individual: 'none'", 'HTTP 403'],
    ['clinics', "Individual: { linked: 'clinic_id', by: 'clinic_staff' }", '0'],
    ['all, with a condition', "where: { state: ['expired', 'revoked'] }", '303'],
    ['a union', "[{ own: 'examiner_id' }, { linked: 'holder_id' }]", '0']
  ] as const) {
    await change(page, 'Reach of', 'Individual', 'is', reach)
    t.ok((await page.locator('#changes').innerText()).includes(code), reach)
    t.equal((await totals(page)).Individual, total, reach)
  }
  await page.getByRole('button', { name: 'As it was' }).click()
  await settled(page)
  t.strictSame(await totals(page), before)
  await change(page, 'Role of', 'Individual', 'is also', 'Admin')
  t.strictSame(await totals(page), { ...before, Individual: '1,200' })
})

visit("a reach that the list cannot have shows the library's message", async (t, page) => {
  await open(page, '?view=who')
  await page.getByText('Change who sees what').click()
  await change(page, 'Reach of', 'Practitioner', 'is', 'a typo')
  t.match(await page.locator('#refused').innerText(), /practitoner/)
  t.notOk(await page.locator('#matrix').isVisible())
  await change(page, 'Reach of', 'Practitioner', 'is', 'as it was')
  t.ok(await page.locator('#matrix').isVisible())
})

visit('the address has what is changed, so a link and the way back show the same', async (t, page) => {
  await open(page, '?list=certificates&view=who')
  await page.getByText('Change who sees what').click()
  const shown = async () => ({ totals: await totals(page), code: await page.locator('#changes').innerText() })
  const before = await totals(page)
  await change(page, 'Reach of', 'Individual', 'is', 'all, with a condition')
  await change(page, 'Role of', 'Practitioner', 'is also', 'Admin')
  const changed = await shown()
  t.match(changed.totals, { Individual: '303', Practitioner: '1,200', Institutional: before.Institutional })
  await page.reload()
  await settled(page)
  t.strictSame(await shown(), changed, 'reloaded')
  t.ok(await page.getByLabel('Reach of').isVisible(), 'what is changed can be changed further')
  t.equal(await page.getByLabel('is', { exact: true }).inputValue(), 'all, with a condition')
  for (const steps of [1, 2]) {
    await page.goBack()
    await settled(page)
    t.equal((await totals(page)).Practitioner, before.Practitioner, `${steps} steps back`)
  }
  t.strictSame(await totals(page), before)
  await page.goForward()
  await settled(page)
  await show(page, 'Payments')
  t.equal(new URL(page.url()).search, '?list=payments&view=who', 'another list begins as it was')
})

visit('changes that are none are a 400 that says what to do, and the page says it too', async (t, page) => {
  for (const changes of [
    '{',
    'null',
    '5',
    '{"roles":null}',
    '{"roles":{"Individual":"everything"}}',
    '{"also":{"Admin":1}}'
  ]) {
    const query = new URLSearchParams({ list: 'payments', changes })
    const response = await fetch(`${address}/demo/who?${query}`)
    t.equal(response.status, 400, changes)
    const { message } = (await response.json()) as { message: string }
    t.match(
      message,
      /^The parameter 'changes' must be JSON such as \{"roles":.* Leave the parameter out for the roles as they are\.$/
    )
    await open(page, `?view=who&${query}`)
    t.equal(await page.locator('#who-outcome').innerText(), message)
    t.notOk(await page.locator('#matrix').isVisible())
    await page.getByRole('button', { name: 'As it was' }).click()
    await settled(page)
    t.ok(await page.locator('#matrix').isVisible())
    t.equal(new URL(page.url()).search, '?list=payments&view=who')
  }
})

visit('who sees a record does not depend on the page that shows it', async (t, page) => {
  await open(page, '?view=who')
  const reach = 'all, with a condition'
  const changes = JSON.stringify({ roles: { Admin: reach, 'Super Admin': reach } })
  const seen = async (limit: number) => {
    const query = new URLSearchParams({ list: 'assessments', query: `limit=${limit}`, changes })
    const response = await fetch(`${address}/demo/who?${query}`)
    const { records } = (await response.json()) as { records: { id: string; isSeen: boolean[] }[] }
    return records.map(({ id, isSeen }) => [id, ...isSeen])
  }
  const [few, many] = [await seen(3), await seen(50)]
  t.equal(many.length, 50)
  t.strictSame(few, many.slice(0, 3))
})
