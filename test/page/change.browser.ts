/** In "Who sees what" the reach of each role can be changed: lists for it answer, or the library says why there are none. */
import type { Page } from 'playwright-core'
import { open, settled, startDemo } from './demo.js'

const { visit } = await startDemo()

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
  for (const [reach, message] of [
    ['clinics', /clinic_id/],
    ['a typo', /practitoner/]
  ] as const) {
    await change(page, 'Reach of', 'Practitioner', 'is', reach)
    t.match(await page.locator('#refused').innerText(), message)
    t.notOk(await page.locator('#matrix').isVisible())
  }
  await change(page, 'Reach of', 'Practitioner', 'is', 'as it was')
  t.ok(await page.locator('#matrix').isVisible())
})
