/** Every control of the page changes the question, and the answer is the list's own. */
import { choose, column, focused, open, outcome, press, settled, show, startDemo, totalOf } from './demo.js'

const { address, visit } = await startDemo()

visit('where nothing matches the page says so, and clears the search and the filters', async (t, page) => {
  const nothing = page.locator('#nothing')
  const clear = page.getByRole('button', { name: 'Clear search and filters' })
  for (const [address, text] of [
    ['?search=nobody', 'No assessments match “nobody”.'],
    ['?list=payments&search=nobody&processor_status=failed', 'No payments match “nobody” and “failed”.'],
    ['?list=certificates&search=nobody&state=valid', 'No certificates match “nobody” and “valid”.'],
    ['?role=Individual&search=nobody', 'No assessments match “nobody”.']
  ] as const) {
    await open(page, address)
    t.equal(await nothing.innerText(), text)
    t.match(await outcome(page), /^0 (assessments|payments|certificates)$/)
    t.notOk(await page.getByRole('table').isVisible())
    t.equal(await page.locator('.pages:visible').count(), 0, 'there is no page to turn to')
    t.notOk(await page.locator('#problem').isVisible(), 'it is no error')
    await press(page, 'Clear search and filters')
    t.equal(await page.getByRole('searchbox').inputValue(), '')
    t.equal(await page.locator('.filters:enabled select').first().inputValue(), '')
    t.equal(await page.locator(':checked[type=checkbox]').count(), 0)
    t.equal(await focused(page), 'search', 'the next word can be typed at once')
    t.ok((await totalOf(page)) > 0)
    t.notOk(await nothing.isVisible())
  }

  await page.route('**/payment/list*', (route) => route.fulfill({ json: { page: 1, limit: 12, total: 0, data: [] } }))
  await show(page, 'Payments')
  t.match(await nothing.innerText(), /^No payments that .+ may see\.$/)
  t.notOk(await clear.isVisible(), 'there is nothing to clear')
})

visit('a page past the end says so, and its buttons lead back', async (t, page) => {
  for (const [button, place] of [
    ['Previous', 'page 417 of 417'],
    ['Last', 'page 417 of 417'],
    ['First', 'page 1 of 417']
  ] as const) {
    await open(page, '?page=1000')
    t.equal(await outcome(page), '5,000 assessments, page 1,000 of 417')
    t.equal(await page.locator('#nothing').innerText(), 'Page 1,000 is past the last page, 417.')
    t.equal(await page.getByRole('button', { name: 'Next' }).first().getAttribute('aria-disabled'), 'true')
    await press(page, button)
    t.match(await outcome(page), place)
  }
})

visit('the pages turn to both ends, and another question begins at the first', async (t, page) => {
  await open(page, '?list=payments&limit=100')
  const button = (name: string) => page.getByRole('button', { name, exact: true }).first()
  const turn = async (name: string) => {
    await press(page, name)
    return outcome(page)
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
  await choose(page, 'Rows', '25')
  t.equal(await outcome(page), '3,000 payments, page 1 of 120')
})

visit('a page can be typed, above and below', async (t, page) => {
  for (const [place, number] of [
    ['Pages', '7'],
    ['Pages, below', '417']
  ] as const) {
    const box = page.getByRole('navigation', { name: place, exact: true }).getByRole('textbox')
    await box.fill(number)
    await box.press('Enter')
    await settled(page)
    t.match(await outcome(page), `page ${number} of 417`)
  }
})

visit('a demo that has gone away is said', async (_, page) => {
  // a page of its own: the error is in its console as well
  const other = await page.context().newPage()
  await other.route('**/demo/callers', (route) => route.abort())
  await other.goto(address)
  await other.getByText('The demo cannot be reached: start it, and load this page again.').waitFor()
})
