/** The page shows the request and its answer as they are, errors too, and never an answer to an older question. */
import type { Page, Route } from 'playwright-core'
import {
  errors,
  open,
  outcome,
  press,
  problem,
  problemOf,
  search,
  settled,
  startDemo,
  totalOf,
  tryError,
  view
} from './demo.js'

const { address, ask, visit, stop } = await startDemo()

for (const [name, status, error, meaning] of [
  ['A bad token', '401 Unauthorized', 'Invalid or expired token.', /does not know who asks: .* Load this page again/],
  [
    'A forbidden role',
    '403 Forbidden',
    'You do not have permission to access these assessments.',
    /the role of the caller may not see these records\. Choose another caller\.$/
  ],
  [
    'A bad page',
    '400 Bad Request',
    /^The query parameter 'page' must be a whole number from 1 /,
    /^The list refuses a parameter\. .* Change it, and ask again/
  ],
  [
    'A misspelt parameter',
    '400 Bad Request',
    /^The query parameter 'staus' is not known; allowed are: search, status, page, limit/,
    /^The list refuses a parameter\. .* Change it, and ask again/
  ]
] as const) {
  visit(`${name.toLowerCase()} shows the list's own error and what it means`, async (t, page) => {
    const shown = await tryError(page, name)
    t.match(shown.outcome, new RegExp(`^${status}, \\d+ ms$`))
    t.match(JSON.parse(shown.raw), { status: Number(status.slice(0, 3)), error })
    t.match(shown.meaning, meaning)
    t.match(shown.curl, /^curl -H 'Authorization: Bearer •+' 'http:.+\/assessment\/list\?search=.*'$/)
    t.ok(await page.evaluate('trial.getBoundingClientRect().bottom <= innerHeight + 1'), 'the error is in sight')
  })
}

visit('the errors to try change neither the controls nor the answer', async (t, page) => {
  await open(page, '?list=payments&role=Individual&search=an&processor_status=failed&view=errors')
  const state = () =>
    page.evaluate(`[
      location.href, outcome.textContent, table.textContent,
      String(new URLSearchParams(new FormData(question)))
    ]`)
  const before = await state()
  const first = []
  for (const name of errors) first.push((await tryError(page, name)).raw)
  t.equal(new Set(first).size, errors.length, 'each has an error of its own')
  t.strictSame(await state(), before)
  // in another order, and with another question, each error is the same
  await open(page, './?role=ordinary+user&view=errors')
  const again = []
  for (const name of errors.toReversed()) again.unshift((await tryError(page, name)).raw)
  t.strictSame(again, first)
})

visit('of two errors that are tried at once the later one is shown', async (t, page) => {
  await view(page, 'Errors')
  await page.evaluate(`document.querySelector('[value^="token="]').click()
    document.querySelector('[value^="page="]').click()`)
  await page.locator('#trial[aria-busy="false"]').waitFor()
  t.match((await problemOf(page, '#trial-problem')).raw, /'page' must be/)
})

visit('a term that is too long is refused by the list, not cut by the page', async (t, page) => {
  await search(page, 'a'.repeat(300))
  const { raw, meaning } = await problemOf(page)
  t.match(raw, /must have at most 256 characters/)
  t.match(meaning, /^The list refuses a parameter/)
  t.notOk(await page.getByRole('table').isVisible(), 'no rows of the answer before')
  await search(page, 'an')
  t.ok((await totalOf(page)) > 0, 'the next question is answered as ever')
  t.notOk(await problem(page).isVisible())
})

for (const [status, body, meaning] of [
  [
    500,
    '{"status":500,"error":"Internal server error."}',
    /^Something failed in the server.* the terminal of npm start/
  ],
  [503, '{"status":503,"error":"Service temporarily unavailable."}', /its database\. Wait a moment/],
  [504, '{"status":504,"error":"The request took too long."}', /deadline.* Search for fewer records/],
  [502, '<h1>Bad gateway</h1>', /^The list has no such answer/]
] as const) {
  visit(`a ${status} is shown as it is, with what it means`, async (t, page) => {
    await page.route('**/assessment/list*', (route) => route.fulfill({ status, body }))
    await press(page, 'Ask again')
    const shown = await problemOf(page)
    t.equal(shown.raw, body)
    t.match(shown.meaning, meaning)
    await view(page, 'Under the hood')
    t.equal((await page.locator('#json').textContent())?.replaceAll(/\n *|(?<=":) /g, ''), body)
  })
}

/** Holds the next answer of a URL back until the returned function is called. */
async function hold(page: Page, url: RegExp): Promise<() => void> {
  let release = () => {}
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  const wait = async (route: Route) => {
    await released
    await route.continue().catch(() => {})
  }
  await page.route(url, wait, { times: 1 })
  return release
}

visit('a slow answer does not replace that to a later question', async (t, page) => {
  const release = await hold(page, /search=slow/)
  await page.getByRole('searchbox').fill('slow')
  await page.waitForRequest(/search=slow/)
  await search(page, 'zo')
  const text = await outcome(page).innerText()
  t.ok((await totalOf(page)) > 0)
  release()
  await page.waitForTimeout(300)
  t.equal(await outcome(page).innerText(), text)
})

visit('an answer that comes while somebody types is not taken for that to what is typed', async (t, page) => {
  const release = await hold(page, /payment\/list/)
  await Promise.all([
    page.waitForRequest(/payment\/list/),
    page.getByRole('radio', { name: 'Payments' }).check({ force: true })
  ])
  t.match(await page.evaluate("getComputedStyle(outcome, '::after').content"), /asking/, 'the page says that it waits')
  t.equal(await page.locator('tbody tr').count(), 12, 'the old answer stands')
  t.ok(await page.locator('#copy').isDisabled(), 'there is nothing to copy')
  await page.getByRole('searchbox').fill('zo')
  release()
  await settled(page)
  t.equal(await totalOf(page), (await ask('Admin', 'payment/list?search=zo')).body.total)
})

visit('a server that is gone is said to be', async (t, page) => {
  await stop()
  await press(page, 'Ask again')
  t.equal(await outcome(page).innerText(), 'No answer')
  const meaning = 'The server cannot be reached. Look whether npm start still runs, and ask again.'
  t.strictSame(await problemOf(page), { raw: 'TypeError: Failed to fetch', meaning })
  t.strictSame((await tryError(page, 'A bad token')).meaning, meaning)
  t.equal(await fetch(address).catch(() => 'gone'), 'gone')
})
