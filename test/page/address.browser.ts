/** The address of the page has its state, and nothing secret: what is reloaded, gone back to or sent is the same. */
import type { Page } from 'playwright-core'
import { open, outcome, settled, startDemo, tryError } from './demo.js'

const { address, callers, visit } = await startDemo()

/** What the page shows, without how long the answer took. */
const shown = async (page: Page) => ({
  outcome: (await outcome(page).innerText()).replace(/, \d+ ms$/, ''),
  caption: await page.getByRole('caption').innerText(),
  rows: await page.locator('tbody tr').allInnerTexts(),
  controls: await page.evaluate('String(new URLSearchParams(new FormData(question)))')
})
const query = (page: Page) => new URL(page.url()).search

/** Chooses something other than the default in every control. */
async function chooseAll(page: Page) {
  await page.getByRole('radio', { name: 'Payments' }).check()
  await page.getByLabel('Caller').selectOption('Super Admin')
  await page.getByRole('searchbox').fill('an')
  await settled(page)
  await page.getByLabel('At the processor').selectOption('succeeded')
  await page.getByLabel('Rows').selectOption('25')
  await settled(page)
  await page.getByRole('button', { name: 'Next' }).click()
  await settled(page)
}

visit('the address has the list, the role, the search, the status, the page and the limit', async (t, page) => {
  t.equal(page.url(), `${address}/`, 'what is as at first is left out')
  await chooseAll(page)
  t.strictSame(Object.fromEntries(new URL(page.url()).searchParams), {
    list: 'payments',
    role: 'Super Admin',
    search: 'an',
    status: 'succeeded',
    page: '2',
    limit: '25'
  })
})

visit('a reload and a copied link show the same', async (t, page) => {
  await chooseAll(page)
  const before = await shown(page)
  t.match(before.outcome, /page 2 of /)
  await page.reload()
  await settled(page)
  t.strictSame(await shown(page), before, 'reloaded')
  const context = await page.context().browser()?.newContext()
  const other = await context?.newPage()
  await other?.goto(page.url())
  if (other) await settled(other)
  t.strictSame(other && (await shown(other)), before, 'in another browser')
  await context?.close()
})

visit('the back button goes back a step at a time, and forward again', async (t, page) => {
  const steps = [await shown(page)]
  const act = async (step: () => Promise<unknown>) => {
    await step()
    await settled(page)
    steps.push(await shown(page))
  }
  await act(() => page.getByRole('radio', { name: 'Payments' }).check())
  await act(() => page.getByLabel('At the processor').selectOption('failed'))
  await act(() => page.getByRole('searchbox').fill('an'))
  await act(() => page.getByLabel('Caller').selectOption('Individual'))
  await act(() => page.getByLabel('Caller').selectOption('Admin'))
  await act(() => page.getByRole('button', { name: 'Next' }).click())
  for (const step of steps.toReversed().slice(1)) {
    await page.goBack()
    await settled(page)
    t.strictSame(await shown(page), step)
  }
  for (const step of steps.slice(1)) {
    await page.goForward()
    await settled(page)
    t.strictSame(await shown(page), step)
  }
})

visit('a word is one step, however slowly it is typed, and a search that is submitted is one too', async (t, page) => {
  const search = page.getByRole('searchbox')
  for (const term of ['a', 'an', 'ann']) {
    await search.fill(term)
    await settled(page)
  }
  await search.press('Enter')
  await settled(page)
  await search.fill('anna')
  await settled(page)
  const back = async () => {
    await page.goBack()
    await settled(page)
    return query(page)
  }
  t.equal(query(page), '?search=anna')
  t.strictSame([await back(), await back()], ['?search=ann', ''])
  t.equal(await search.inputValue(), '')

  // a word that is typed and taken away again takes no step away
  await page.getByRole('button', { name: 'Next' }).click()
  await settled(page)
  await page.getByRole('button', { name: 'First' }).click()
  await settled(page)
  await page.evaluate("search.value = ''; search.dispatchEvent(new Event('input', { bubbles: true }))")
  await settled(page)
  await search.fill('zo')
  await settled(page)
  t.strictSame([await back(), await back()], ['', '?page=2'])
})

visit('the address never has a token, whatever is done', async (t, page) => {
  const addresses: string[] = []
  page.on('framenavigated', (frame) => addresses.push(frame.url()))
  await chooseAll(page)
  for (const name of ['A bad token', 'A forbidden role', 'A bad page', 'A misspelt parameter']) {
    await tryError(page, name)
  }
  await page.getByRole('button', { name: 'Copy' }).click()
  await open(page, `?search=an&token=${callers[0]?.token}#${callers[1]?.token}`)
  t.equal(query(page), '?search=an', 'what is not of the state leaves the address')
  addresses.splice(
    addresses.findIndex((url) => url.includes('token=')),
    1
  )
  addresses.push(page.url())
  t.ok(addresses.length > 5)
  for (const { token } of callers) {
    t.notOk(addresses.some((url) => url.includes(token) || url.includes(String(token.split('.').at(-1)))))
  }
  t.equal(await page.evaluate('history.state'), null)
  t.equal(await page.evaluate('localStorage.length + sessionStorage.length + document.cookie.length'), 0)
})

visit(
  'an address with a value that no control has shows what is there, and the list judges the page',
  async (t, page) => {
    await open(page, '?list=refunds&role=Nobody&status=lost&limit=7')
    t.match(await outcome(page).innerText(), /^5,000 assessments, page 1 of 417, /)
    t.equal(query(page), '')
    await open(page, '?list=payments&status=pending')
    t.equal(query(page), '?list=payments&status=pending', 'a status that only the other list lacks')
    await open(page, '?page=x')
    t.match(await outcome(page).innerText(), /^400 /)
    await page.getByRole('button', { name: 'Search' }).click()
    await settled(page)
    t.match(await outcome(page).innerText(), /^5,000 assessments, page 1 of 417, /)
  }
)
