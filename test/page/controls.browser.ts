/** Every control of the page changes the question, and the answer is the list's own. */
import { column, outcome, problem, settled, startDemo, totalOf } from './demo.js'

const { address, ask, visit } = await startDemo()

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

visit('two quick clicks lead no further than the last page', async (t, page) => {
  await page.getByRole('button', { name: 'Last', exact: true }).click()
  await settled(page)
  await page.getByRole('button', { name: 'Previous', exact: true }).click()
  await settled(page)
  await page.evaluate('next.click(), next.click()')
  await settled(page)
  t.match(await outcome(page).innerText(), /^5,000 assessments, page 417 of 417, /)
})

visit('what is asked by a button is not overtaken by a word that was typed before', async (t, page) => {
  await page.evaluate(`
    search.value = 'an'
    search.dispatchEvent(new Event('input', { bubbles: true }))
    document.getElementById('bad-token').click()
  `)
  await settled(page)
  // longer than a word is waited for
  await page.waitForTimeout(500)
  t.match(await problem(page).innerText(), /Invalid or expired token/)
})

visit('without a clipboard the line is to be copied by hand', async (_, page) => {
  await page.evaluate("Object.defineProperty(navigator, 'clipboard', { value: undefined })")
  await page.getByRole('button', { name: 'Copy' }).click()
  await page.getByText('The browser does not allow it: select the line and copy it.').waitFor()
})

visit('an error of a proxy that is no JSON is shown as it is', async (t, page) => {
  await page.route('**/assessment/list*', (route) => route.fulfill({ status: 502, body: '<h1>Bad gateway</h1>' }))
  await page.getByRole('button', { name: 'Ask' }).click()
  await settled(page)
  t.match(await problem(page).innerText(), /Bad gateway/)
  t.equal(await page.locator('#json').textContent(), '<h1>Bad gateway</h1>')
})

visit('a demo that has gone away is said', async (_, page) => {
  // a page of its own: the error is in its console as well
  const other = await page.context().newPage()
  await other.route('**/demo/callers', (route) => route.abort())
  await other.goto(address)
  await other.getByText('The demo cannot be reached: start it, and load this page again.').waitFor()
})
