/** Every control of the page changes the question, and the answer is the list's own. */
import { column, outcome, settled, startDemo, totalOf } from './demo.js'

const { ask, visit } = await startDemo()

const statuses = [
  ['Assessments', 'Status', 'assessment/list?search=&status=', ['completed', 'pending', 'reserved']],
  [
    'Payments',
    'At the processor',
    'payment/list?processor_status=',
    ['succeeded', 'complete', 'pending', 'failed', 'canceled']
  ]
] as const

visit('the page begins with the assessments of the Admin', async (t, page) => {
  t.match(await outcome(page).innerText(), /^5,000 assessments, page 1 of 417, \d+ ms$/)
  const table = page.getByRole('table', { name: 'Assessments that Tomás Sánchez (Admin) may see, newest first' })
  t.equal(await table.getByRole('row').count(), 13)
})

visit('a search that finds nothing says so, and its characters mean themselves', async (t, page) => {
  for (const term of ['%', '(', '&page=2', "'", '#']) {
    await page.getByRole('searchbox').fill(term)
    await settled(page)
    const { body } = await ask('Admin', `assessment/list?search=${encodeURIComponent(term)}`)
    t.equal(await totalOf(page), body.total, term)
  }
  await page.getByRole('searchbox').fill('nobody at all')
  await settled(page)
  t.match(await outcome(page).innerText(), /^0 assessments, page 1 of 1, /)
  t.equal(await page.locator('tbody tr').count(), 0)
})

for (const [list, title, path, names] of statuses) {
  visit(`each status filters the ${list.toLowerCase()}`, async (t, page) => {
    await page.getByRole('radio', { name: list }).check()
    await settled(page)
    const select = page.getByLabel(title)
    t.strictSame(await select.locator('option').allInnerTexts(), ['any', ...names])
    for (const name of names) {
      await select.selectOption(name)
      await settled(page)
      t.strictSame([...new Set(await column(page, title))], [name])
      t.equal(await totalOf(page), (await ask('Admin', path + name)).body.total)
    }
    await select.selectOption('any')
    await settled(page)
    t.equal(await totalOf(page), (await ask('Admin', path)).body.total)
  })
}

visit('the pages turn to both ends, and another question begins at the first', async (t, page) => {
  await page.getByRole('radio', { name: 'Payments' }).check()
  await page.getByLabel('Rows').selectOption('100')
  await settled(page)
  const button = (name: string) => page.getByRole('button', { name, exact: true })
  const turn = async (name: string) => {
    await button(name).click()
    await settled(page)
    return (await outcome(page).innerText()).replace(/, \d+ ms$/, '')
  }
  const isOff = (name: string) => button(name).getAttribute('aria-disabled')

  t.strictSame([await isOff('First'), await isOff('Next')], ['true', 'false'])
  const [newest] = await column(page, 'Id')
  t.equal(await turn('Next'), '3,000 payments, page 2 of 30')
  t.equal(await turn('Last'), '3,000 payments, page 30 of 30')
  t.strictSame([await isOff('Previous'), await isOff('Last')], ['false', 'true'])
  t.equal((await column(page, 'Id')).at(-1), '1')
  // one that is off still can be pressed
  await button('Next').click({ force: true })
  t.equal(await turn('Previous'), '3,000 payments, page 29 of 30')
  t.equal(await turn('First'), '3,000 payments, page 1 of 30')
  t.equal((await column(page, 'Id'))[0], newest)

  await turn('Next')
  await page.getByLabel('Rows').selectOption('25')
  await settled(page)
  t.match(await outcome(page).innerText(), /^3,000 payments, page 1 of 120, /)
})
