/** Every control of the page changes the question, and the answer is the list's own. */
import { focused, open, outcome, press, show, startDemo, totalOf } from './demo.js'

const { visit } = await startDemo()

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
