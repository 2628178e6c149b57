/** The address of the page has its state, and nothing secret: what is reloaded, gone back to or sent is the same. */
import type { Page } from 'playwright-core'
import { choose, errors, open, outcome, press, search, settled, show, startDemo, tryError, view } from './demo.js'

const { address, callers, visit } = await startDemo()

const shown = async (page: Page) => ({
  outcome: await outcome(page),
  caption: await page.getByRole('caption').innerText(),
  rows: await page.locator('tbody tr').allInnerTexts(),
  controls: await page.evaluate('String(new URLSearchParams(new FormData(question)))')
})
const query = (page: Page) => new URL(page.url()).search
const _back = async (page: Page) => {
  await page.goBack()
  await settled(page)
  return query(page)
}

/** Chooses something other than the default in every control. */
async function chooseAll(page: Page) {
  await show(page, 'Payments')
  await choose(page, 'Caller', 'Super Admin')
  await search(page, 'an')
  await choose(page, 'At the processor', 'succeeded')
  await choose(page, 'Rows', '25')
  await press(page, 'Next')
}

visit('the address has the whole question, and a reload and a copied link show the same', async (t, page) => {
  t.equal(page.url(), `${address}/`, 'what is as at first is left out')
  await chooseAll(page)
  const question = { list: 'payments', role: 'Super Admin', search: 'an', processor_status: 'succeeded' }
  t.strictSame(Object.fromEntries(new URL(page.url()).searchParams), { ...question, page: '2', limit: '25' })
  const before = await shown(page)
  t.match(before.outcome, /page 2 of /)
  await page.reload()
  await settled(page)
  t.strictSame(await shown(page), before, 'reloaded')
  const other = await page.context().browser()?.newPage()
  await other?.goto(page.url())
  if (other) await settled(other)
  t.strictSame(other && (await shown(other)), before, 'in another browser')
  await other?.close()
})

visit('the back button goes back a step at a time, and forward again', async (t, page) => {
  const steps = [await shown(page)]
  for (const act of [
    () => show(page, 'Payments'),
    () => choose(page, 'At the processor', 'failed'),
    () => search(page, 'an'),
    () => choose(page, 'Caller', 'Individual'),
    () => choose(page, 'Caller', 'Admin'),
    () => press(page, 'Next')
  ]) {
    await act()
    steps.push(await shown(page))
  }
  for (const [turn, passed] of [
    [() => page.goBack(), steps.toReversed()],
    [() => page.goForward(), steps]
  ] as const) {
    for (const step of passed.slice(1)) {
      await turn()
      await settled(page)
      t.strictSame(await shown(page), step)
    }
  }
})

visit('the address never has a token, whatever is done', async (t, page) => {
  const addresses: string[] = []
  page.on('framenavigated', (frame) => addresses.push(frame.url()))
  await chooseAll(page)
  for (const name of errors) await tryError(page, name)
  await view(page, 'Code')
  await page.getByRole('tab', { name: 'curl' }).click()
  await page.getByRole('button', { name: 'Copy' }).click()
  await open(page, `?search=an&token=${callers[0]?.token}#${callers[1]?.token}`)
  t.equal(query(page), '?search=an', 'what is not of the state leaves the address')
  t.ok(addresses.length > 6)
  // but for the address that was opened
  const signatures = callers.map(({ token }) => String(token.split('.').at(-1)))
  const secret = addresses.filter((url) => signatures.some((signature) => url.includes(signature)))
  t.ok(secret.length === 1 && secret[0]?.includes('token='))
  t.equal(await page.evaluate('history.state'), null)
  t.equal(await page.evaluate('localStorage.length + sessionStorage.length + document.cookie.length'), 0)
})

visit('a value that no control has leaves the address, and the list judges the page', async (t, page) => {
  await open(page, '?list=refunds&role=Nobody&status=lost&limit=7')
  t.equal(await outcome(page), '5,000 assessments, page 1 of 417')
  t.equal(query(page), '')
  await open(page, '?list=payments&status=pending')
  t.equal(query(page), '?list=payments', 'a filter that only the other list has')
  await open(page, '?page=x')
  t.match(await outcome(page), /^400 /)
  await search(page, 'a')
  await search(page, '')
  t.equal(await outcome(page), '5,000 assessments, page 1 of 417')
})
