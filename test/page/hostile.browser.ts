/** Names and other texts that would be HTML or a script stay text, and the page's policy would stop them too. */
import t from 'tap'
import { listen } from '../support/hosts/listening.js'
import { column, isTooWide, search, show, view, visitor } from './demo.js'

const hostile = '<img src=x onerror=alert(1)>\'"&amp;</td><script>alert(2)</script>'
const built = (name: string) => import(new URL(`../../examples/dist/demo/${name}.js`, import.meta.url).href)
const [{ buildDemo }, { makeData }] = await Promise.all(['server', 'data'].map(built))

// the demo's own server and data, but every name and code is hostile
const data = makeData()
for (const user of data.tables.users) Object.assign(user, { first_name: hostile, last_name: hostile, email: hostile })
for (const [name, fields] of Object.entries({
  assessments: { licence: hostile, assessment_type: hostile },
  payments: { payment_method: hostile, payment_status: hostile }
})) {
  data.tables[name] = [...data.tables[name]].map((row) => ({ ...row, ...fields }))
}
const { app } = await buildDemo({}, data)
const { address } = await listen(app)
t.teardown(() => app.close())
const visit = await visitor(address)

visit('hostile texts are shown letter by letter', async (t, page) => {
  t.equal((await column(page, 'Name'))[0], `${hostile} ${hostile}`)
  for (const title of ['Email', 'Type', 'Licence']) t.equal((await column(page, title))[0], hostile, title)
  t.ok((await page.getByLabel('Caller').innerText()).includes(`Admin: ${hostile}`))
  t.notOk(await isTooWide(page), 'a long name makes no page wide')
  t.ok((await page.getByRole('caption').innerText()).includes(hostile))

  await search(page, '<IMG')
  t.strictSame(new Set(await page.locator('tbody mark').allInnerTexts()), new Set(['<img']))
  await search(page, hostile)
  t.equal((await column(page, 'Email'))[0], hostile)

  await show(page, 'Payments')
  t.equal((await column(page, 'Method'))[0], hostile)
  await view(page, 'Who sees what')
  t.ok((await page.locator('#matrix').innerText()).includes(hostile))
  await view(page, 'Under the hood')
  t.ok((await page.locator('#json').innerText()).includes(JSON.stringify(hostile)))
  t.equal(await page.locator('img, td script').count(), 0)
})

t.test('the policy lets only the page’s own files run, and none stand in a frame', async (t) => {
  const { headers } = await fetch(address)
  const policy = String(headers.get('content-security-policy'))
  for (const part of [
    "default-src 'none'",
    "script-src 'self'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'"
  ]) {
    t.ok(policy.split(';').includes(part), part)
  }
  t.notMatch(policy, /unsafe|\*|https?:/)
  t.equal(headers.get('x-content-type-options'), 'nosniff')
  t.equal((await fetch(`${address}/demo/callers`)).headers.get('cache-control'), 'no-store')
  t.equal((await fetch(`${address}/page/tsconfig.json`)).status, 404)
  t.equal((await fetch(`${address}/page/..%2f..%2fpackage.json`)).status, 404)
  t.notOk((await fetch(`${address}/payment/list`)).headers.has('content-security-policy'), 'the lists are as they were')
})

visit('text that a mistake in the page made HTML would be refused', async (t, page, problems) => {
  await t.rejects(page.evaluate(`document.body.innerHTML = ${JSON.stringify(hostile)}`), /TrustedHTML/)
  t.equal(await page.locator('img').count(), 0)
  t.match(problems.splice(0), [/TrustedHTML/])
})
