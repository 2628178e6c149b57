/** The code of the page asks what the page asks, and has no token until it is copied. */
import type { Page } from 'playwright-core'
import t from 'tap'
import { listen } from '../support/hosts/listening.js'
import { choose, open, search, settled, show, totalOf, view, visitor } from './demo.js'

const { buildDemo } = await import(new URL('../../examples/dist/demo/server.js', import.meta.url).href)
const { app, listings, callers } = await buildDemo({})
const visit = await visitor((await listen(app)).address)
t.teardown(() => app.close())

/** Copies the code of a tab. */
async function copied(page: Page, language: string): Promise<string> {
  await page.getByRole('tab', { name: language, exact: true }).click()
  await page.getByRole('button', { name: 'Copy' }).click()
  await page.getByText(/^Copied/).waitFor()
  return String(await page.evaluate('navigator.clipboard.readText()'))
}

const AsyncFunction = (async () => {}).constructor as new (
  ...parts: string[]
) => (...given: unknown[]) => Promise<number>

/** Runs code, and gives the total that it has found. */
const run = (code: string, given: object) =>
  new AsyncFunction(...Object.keys(given), `${code}\nreturn total`)(...Object.values(given))

visit('curl, fetch and find find what the page has found', async (t, page) => {
  for (const address of [
    "?list=payments&search=O'Brien&processor_status=failed&role=Super+Admin",
    '?search=%26+S%C3%B8n',
    '?list=certificates&state=valid&state=expired&passed=true&score_from=60.5&sort=-hours'
  ]) {
    await open(page, address)
    const total = await totalOf(page)
    await view(page, 'Code')
    const [, authorization = '', url = ''] =
      /^curl -H 'Authorization: ([^']+)' '([^']+)'$/.exec(await copied(page, 'curl')) ?? []
    const response = await fetch(url, { headers: { authorization } })
    t.equal(((await response.json()) as { total: number }).total, total, 'curl')
    t.equal(await run(await copied(page, 'fetch'), { fetch }), total, 'fetch')
    t.equal(await run(await copied(page, 'listings.find'), { listings }), total, 'find')
    t.match(await copied(page, 'Test'), new RegExp(`json\\(\\)\\.total, ${total}\\)`))
    t.match(await copied(page, 'Typed client'), /client\.GET\('\/\w+\/list', \{\n {2}params: \{ query: \{ search: /)
  }
})

visit('no token is shown, and the code follows the question', async (t, page) => {
  await view(page, 'Code')
  await page.getByRole('tab', { name: 'Server' }).focus()
  t.match(await page.locator('#snippet').innerText(), /createListings\([\s\S]+app\.register\(listings\.plugin\)/)
  await page.keyboard.press('ArrowRight')
  for (const language of ['curl', 'fetch', 'Typed client']) {
    await page.getByRole('tab', { name: language, exact: true }).click()
    t.match(await page.locator('#snippet').innerText(), /Bearer •{8}'/)
    t.ok((await copied(page, language)).includes(callers.find(({ role }: { role: string }) => role === 'Admin').token))
  }
  await page.getByRole('tab', { name: 'curl' }).click()
  await search(page, 'zo')
  await show(page, 'Payments')
  await choose(page, 'Caller', 'Individual')
  await settled(page)
  t.match(await page.locator('#snippet').innerText(), /payment\/list\?search=zo&page=1&limit=12'$/)
  const html = await page.content()
  t.notOk(callers.some(({ token }: { token: string }) => html.includes(token)))
})

visit('the code of a server has the list that is shown, and everything that it names', async (t, page) => {
  await view(page, 'Code')
  for (const [list, other] of [
    ['Assessments', /certificates|payments/],
    ['Payments', /certificates|assessments/],
    ['Certificates', /assessments|payments/]
  ] as const) {
    await show(page, list)
    const code = String(await page.locator('#snippet').textContent())
    t.match(code, /^import jwt/, 'no empty line comes first')
    t.notMatch(code.split('\n// ')[0]?.replace('assessment-payment', ''), other, list)
    for (const name of ['db', 'app', 'listings']) t.match(code, `const ${name} = `)
    t.match(code, `lists: [${list.toLowerCase()}]`)
    t.match(code, `export const ${list.toLowerCase()} = defineList(`)
  }
})

visit('"Try it out" of Swagger UI asks as the caller who is chosen on the page', async (t, page) => {
  await show(page, 'Payments')
  await choose(page, 'Caller', 'Master Practitioner')
  await page.getByRole('link', { name: 'Swagger UI' }).click()
  await page.getByRole('button', { name: 'Try it out' }).click()
  const [answer] = await Promise.all([
    page.waitForResponse(/payment\/list/),
    page.getByRole('button', { name: 'Execute' }).click()
  ])
  t.equal(answer.status(), 200)
  const { token } = callers.find(({ role }: { role: string }) => role === 'Master Practitioner')
  t.equal(answer.request().headers().authorization, `Bearer ${token}`)
})
