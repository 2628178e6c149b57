/** The page shows the request and its answer as they are, errors too, and never an answer to an older question. */
import {
  choose,
  errors,
  hold,
  open,
  outcome,
  press,
  problemOf,
  search,
  startDemo,
  totalOf,
  tryError,
  view
} from './demo.js'

const { address, visit, stop } = await startDemo()

const change = /^The list refuses a parameter\. .* Change it, and ask again/
for (const [name, status, error, meaning] of [
  ['A bad token', '401 Unauthorized', 'Invalid or expired token.', /does not know who asks: .* Load this page again/],
  [
    'A forbidden role',
    '403 Forbidden',
    'You do not have permission to access these assessments.',
    /the role of the caller may not see these records\. Choose another caller\.$/
  ],
  ['A bad page', '400 Bad Request', /^The query parameter 'page' must be a whole number from 1 /, change],
  [
    'A misspelt parameter',
    '400 Bad Request',
    /^The query parameter 'staus' is unknown. Allowed: search, status, page, limit/,
    change
  ]
] as const) {
  visit(`${name.toLowerCase()} shows the list's own error and what it means`, async (t, page) => {
    const shown = await tryError(page, name)
    t.match(shown.outcome, new RegExp(`^${status}, \\d+ ms$`))
    t.match(JSON.parse(shown.raw), { status: Number(status.slice(0, 3)), error })
    t.match(shown.meaning, meaning)
    t.match(shown.curl, /^curl -H 'Authorization: Bearer •+' 'http:.+\/assessment\/list\?search=.*'$/)
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
  // of two that are tried at once, the later one is shown
  await page.evaluate(`document.querySelector('[value^="token="]').click()
    document.querySelector('[value^="page="]').click()`)
  await page.locator('#trial[aria-busy="false"]').waitFor()
  t.match((await problemOf(page, '#trial-problem')).raw, /'page' must be/)
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

visit('a slow answer does not replace that to a later question', async (t, page) => {
  const release = await hold(page, /search=slow/, () => page.getByRole('searchbox').fill('slow'))
  await search(page, 'zo')
  const text = await outcome(page)
  t.ok((await totalOf(page)) > 0)
  await release()
  t.equal(await outcome(page), text)
})

for (const [name, url, place] of [
  ['Who sees what', /demo\/who/, '#who'],
  ['Under the hood', /demo\/requests/, '#inside'],
  ['Code', /demo\/code/, '#snippet']
] as const) {
  visit(`${name}: what comes late does not replace what is shown`, async (t, page) => {
    const release = await hold(page, url, () => page.getByRole('tab', { name, exact: true }).click())
    await choose(page, 'Status', 'pending')
    if (name === 'Code') await page.getByRole('tab', { name: 'curl' }).click()
    const shown = await page.locator(place).innerText()
    t.match(shown, name === 'Who sees what' ? /^851 assessments match/ : /status/)
    await release()
    t.equal(await page.locator(place).innerText(), shown)
  })
}

visit('a server that is gone is said to be, and leaves no older answer', async (t, page) => {
  await view(page, 'Who sees what')
  await view(page, 'Records')
  await stop()
  await view(page, 'Who sees what')
  t.equal(await page.locator('#who-outcome').innerText(), 'The server does not answer.')
  t.notOk(await page.locator('#matrix').isVisible())
  await view(page, 'Records')
  await press(page, 'Ask again')
  t.equal(await outcome(page), 'No answer')
  const meaning = 'The server cannot be reached. Look whether npm start still runs, and ask again.'
  t.strictSame(await problemOf(page), { raw: 'TypeError: Failed to fetch', meaning })
  t.strictSame((await tryError(page, 'A bad token')).meaning, meaning)
  t.equal(await fetch(address).catch(() => 'gone'), 'gone')
})
