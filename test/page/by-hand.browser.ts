/** The switch shows what a list written by hand would have answered, and marks what is wrong of it. */
import type { Page } from 'playwright-core'
import t from 'tap'
import { listen } from '../support/hosts/listening.js'
import { open, type, visitor } from './demo.js'

const built = (name: string) => import(new URL(`../../examples/dist/demo/${name}.js`, import.meta.url).href)
const [{ buildDemo }, { statementsByHand }] = await Promise.all(['server', 'by-hand'].map(built))
const { app, listings, db, callers } = await buildDemo({})
const visit = await visitor((await listen(app)).address)
t.teardown(() => app.close())

interface DemoCaller {
  userId: number
  role: string
  roles: string[]
}
const callerOf = (role: string): DemoCaller => callers.find((caller: DemoCaller) => caller.role === role)
const ids = { assessments: 'assessment_id', payments: 'payment_id', certificates: 'certificate_id' }
type Name = keyof typeof ids

/** Everything that the library has for a caller, in its order. */
async function allOf(name: Name, { userId, roles }: DemoCaller, search = '') {
  const items: Record<string, unknown>[] = []
  for await (const item of listings.each(name, { caller: { userId, role: roles }, query: { search } })) items.push(item)
  return items
}

/** What the list by hand has on a page of this many rows, and its total. */
async function byHand(name: Name, caller: DemoCaller, limit: number, search = '') {
  const { rows, total } = statementsByHand(name, { caller, query: { search }, page: 1, limit })
  const found = (await rows.execute(db)).rows.map(({ id }: { id: unknown }) => String(id))
  return { ids: [...new Set<string>(found)], total: Number((await total.execute(db)).rows[0].total) }
}

const parts = (page: Page) =>
  page
    .locator('#by-hand-rows tr')
    .evaluateAll((rows) => rows.map(({ cells }) => [...cells].map((cell) => cell.innerText)))
const marks = (page: Page) => page.locator('#by-hand mark').allInnerTexts()

t.test('the list by hand has the rows of the library in its order, so no more is wrong than is said', async (t) => {
  for (const name of Object.keys(ids) as Name[]) {
    for (const caller of callers) {
      const items = await allOf(name, caller).catch(() => [])
      if (items.length === 0) continue
      const written = await byHand(name, caller, 100_000)
      t.strictSame(
        written.ids,
        items.map((item) => item[ids[name]]),
        `${name}, ${caller.role}`
      )
    }
    for (const search of ['an', "o'b", '_', '%', 'nobody at all']) {
      const { total } = await byHand(name, callerOf('Admin'), 1, search)
      t.equal(total, (await allOf(name, callerOf('Admin'), search)).length, `${name}, ${search}`)
    }
  }
})

visit('the total counts rows that the caller may not see', async (t, page) => {
  await open(page, '?role=Practitioner')
  t.notOk(await page.locator('#by-hand').isVisible())
  await page.getByLabel('Compare with a list written by hand').focus()
  await type(page, 'Space')
  const seen = (await allOf('assessments', callerOf('Practitioner'))).length
  const [total] = await parts(page)
  const more = (5000 - seen).toLocaleString('en')
  const wrong = `it counts ${more} records that the caller may not see`
  t.strictSame(total, ['The total', seen.toLocaleString('en'), `5,000: ${wrong}`])
  t.equal((await marks(page))[0], wrong)
  await open(page, '?role=Admin&by_hand=yes')
  t.strictSame((await parts(page))[0], ['The total', '5,000', '5,000, and this caller may see all of them'])
})

visit('a filter with a typo is silently ignored', async (t, page) => {
  for (const [address, typo, total] of [
    ['?by_hand=yes&status=pending', 'staus', '5,000'],
    ['?by_hand=yes&list=payments', 'processor_staus', '3,000'],
    ['?by_hand=yes&list=certificates', 'levle', '1,200']
  ] as const) {
    await open(page, address)
    const [what, library, written] = (await parts(page))[2] ?? []
    t.match(what, new RegExp(`^A filter with a typo, ${typo}=\\w+$`))
    t.match(library, `400: The query parameter '${typo}' is unknown. Allowed: search, `)
    t.equal(written, `200, ${total} records: it is silently ignored`)
  }
})
