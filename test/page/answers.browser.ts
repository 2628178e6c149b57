/** The page shows the request and its answer as they are, errors too, and never an answer to an older question. */
import type { Page, Route } from 'playwright-core'
import { outcome, problem, settled, startDemo, totalOf } from './demo.js'

const { address, ask, callers, visit, stop } = await startDemo()

const press = async (page: Page, name: string) => {
  await page.getByRole('button', { name }).click()
  await settled(page)
}

visit('the copied curl line asks what the page has asked', async (t, page) => {
  await page.getByRole('searchbox').fill("O'Brien & Søn")
  await page.getByRole('radio', { name: 'Payments' }).check()
  await page.getByLabel('At the processor').selectOption('failed')
  await settled(page)
  await page.getByRole('button', { name: 'Copy' }).click()
  await page.getByText('Copied.', { exact: true }).waitFor()
  const line = String(await page.evaluate('navigator.clipboard.readText()'))
  const asked = /^curl -H 'Authorization: (?<authorization>[^']+)' '(?<url>[^']+)'$/.exec(line)?.groups ?? {}
  const response = await fetch(String(asked.url), { headers: { authorization: String(asked.authorization) } })
  t.equal(response.status, 200)
  await page.getByText('The answer as JSON').click()
  t.strictSame(JSON.parse(await page.locator('#json').innerText()), await response.json())
})

for (const [name, status, error] of [
  ['A bad token', '401 Unauthorized', 'Invalid or expired token.'],
  ['A forbidden role', '403 Forbidden', 'You do not have permission to access these assessments.'],
  ['A bad page', '400 Bad Request', /^The query parameter 'page' must be a whole number from 1 /],
  [
    'A misspelt parameter',
    '400 Bad Request',
    /^The query parameter '\w+' is not known; allowed are: search, status, page, limit/
  ]
] as const) {
  visit(`${name.toLowerCase()} shows the list's own error`, async (t, page) => {
    await press(page, name)
    t.match(await outcome(page).innerText(), new RegExp(`^${status}, \\d+ ms$`))
    t.match(JSON.parse(await problem(page).innerText()), { status: Number(status.slice(0, 3)), error })
    t.notOk(await page.getByRole('table').isVisible(), 'no rows of the answer before')
    t.match(await page.locator('#curl').innerText(), /^curl /)

    await page.getByLabel('Caller').selectOption({ label: `Individual: ${callers[0]?.name}` })
    await settled(page)
    t.ok((await totalOf(page)) > 0, 'the next question is answered as ever')
    t.notOk(await problem(page).isVisible())
  })
}

visit('a term that is too long is refused by the list, not cut by the page', async (t, page) => {
  await page.getByRole('searchbox').fill('a'.repeat(300))
  await settled(page)
  t.match(await problem(page).innerText(), /must have at most 256 characters/)
})

visit('a slow answer does not replace that to a later question', async (t, page) => {
  await page.route(/search=slow/, async (route) => {
    await new Promise((resolve) => setTimeout(resolve, 1000))
    await route.continue().catch(() => {})
  })
  await page.getByRole('searchbox').fill('slow')
  await page.waitForRequest(/search=slow/)
  await page.getByRole('searchbox').fill('zo')
  await settled(page)
  const text = await outcome(page).innerText()
  t.ok((await totalOf(page)) > 0)
  await page.waitForTimeout(1200)
  t.equal(await outcome(page).innerText(), text)
})

visit('an answer that comes while somebody types is not taken for that to what is typed', async (t, page) => {
  let release = () => {}
  const typed = new Promise<void>((resolve) => {
    release = resolve
  })
  const hold = async (route: Route) => {
    await typed
    await route.continue().catch(() => {})
  }
  await page.route(/payment\/list/, hold, { times: 1 })
  const asked = page.waitForRequest(/payment\/list/)
  await page.getByRole('radio', { name: 'Payments' }).check()
  await asked
  await page.getByRole('searchbox').fill('zo')
  release()
  await settled(page)
  t.equal(await totalOf(page), (await ask('Admin', 'payment/list?search=zo')).body.total)
})

visit('a server that is gone is said to be', async (t, page) => {
  await stop()
  await press(page, 'Ask')
  t.equal(await outcome(page).innerText(), 'No answer')
  t.equal(await problem(page).innerText(), 'The server cannot be reached. Does npm start still run?')
  t.equal(await fetch(address).catch(() => 'gone'), 'gone')
})
