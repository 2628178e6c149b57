/** The switch shows what a list written by hand would have answered, and marks what is wrong of it. */
import type { Page } from 'playwright-core'
import t from 'tap'
import { listen } from '../support/hosts/listening.js'
import { isTooWide, open, outcome, press, settled, show, type, visitor } from './demo.js'

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

visit('a row is on two pages, and one is on none', async (t, page) => {
  for (const role of ['Practitioner', 'Institutional', 'Admin']) {
    await open(page, `?role=${role}&by_hand=yes`)
    const items = await allOf('assessments', callerOf(role))
    // limit counts a row for each organization
    const rows = items.flatMap(({ assessment_id, org_names }) =>
      Array(Math.max(1, (org_names as string[]).length)).fill(assessment_id)
    )
    const pages = Array.from({ length: 417 }, (_, index) => rows.slice(index * 12, index * 12 + 12))
    const first = pages.findIndex((ids, index) => ids[0] !== undefined && ids[0] === pages[index - 1]?.at(-1))
    const [, library, written] = (await parts(page))[1] ?? []
    t.equal(library, `${(first + 1) * 12} records on pages 1 to ${first + 1}, each on one page`)
    const ofPages = new Set(pages.slice(0, first + 1).flat()).size
    t.ok(
      written?.startsWith(
        `${ofPages} records on pages 1 to ${first + 1}, because the join repeats a record for each organization`
      )
    )
    const [mark = ''] = (await marks(page)).filter((text) => text.includes('two pages'))
    t.ok(mark.startsWith(`record ${pages[first]?.[0]} is on two pages, ${first} and ${first + 1}`), mark)
    const isMissed = rows.length > 417 * 12
    t.equal(/record (\d+) is on none of the 417$/.exec(mark)?.[1], isMissed ? rows[418 * 12 - 1] : undefined, role)
  }
})

visit('where nothing is wrong with the pages, nothing is said to be', async (t, page) => {
  for (const [question, rows] of [
    ['?role=Practitioner&search=nobody', ['no records', 'no records']],
    ['?list=payments&role=ordinary+user', ['4 records on page 1, each on one page', '4 records on page 1']]
  ] as const) {
    await open(page, `${question}&by_hand=yes`)
    t.strictSame((await parts(page))[1]?.slice(1), rows)
  }
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
    t.match(library, `400: The query parameter '${typo}' is not known; allowed are: search, `)
    t.equal(written, `200, ${total} records: it is silently ignored`)
  }
})

visit('its SQL is shown, and filters that it does not have are said to be left out', async (t, page) => {
  await open(page, '?list=certificates&by_hand=yes&level=expert&issued_from=2024-01-01&sort=hours')
  t.equal(
    await page.locator('#by-hand-about').innerText(),
    'Both are asked for pages of 12, without issued_from, sort, because the list by hand has only search and level.'
  )
  const experts = await allOf('certificates', callerOf('Admin')).then((all) =>
    all.filter(({ level }) => level === 'expert')
  )
  t.equal((await parts(page))[0]?.[1], String(experts.length))
  await page.getByText('The SQL by hand').click()
  t.match(
    await page.locator('#by-hand-sql').innerText(),
    /^select r\.certificate_id as id, [\s\S]*where \(true\)\nand r\.level = \?\norder by r\.issued_at desc\nlimit \? offset \?\n\nselect count\(\*\) as total\n[\s\S]*\nwhere r\.level = \?$/
  )
})

visit('the address has the switch, which leaves the page and follows the question', async (t, page) => {
  await open(page, '?role=Practitioner&page=3')
  await page.getByLabel('Compare with a list written by hand').check()
  await settled(page)
  t.match(await outcome(page), /page 3 of 127$/)
  t.equal(new URL(page.url()).search, '?role=Practitioner&page=3&by_hand=yes')
  await page.reload()
  await settled(page)
  t.equal((await parts(page)).length, 3)
  await show(page, 'Payments')
  t.equal((await parts(page))[0]?.[2], `3,000: ${(await marks(page))[0]}`)
  await open(page, '?role=ordinary+user&by_hand=yes')
  t.notOk(await page.locator('#by-hand').isVisible(), 'nothing is compared with an error')
  await open(page, '?role=Practitioner&by_hand=yes')
  await page.setViewportSize({ width: 390, height: 844 })
  t.notOk(await isTooWide(page))
  await press(page, 'Next')
  await page.getByLabel('Compare with a list written by hand').uncheck()
  await settled(page)
  t.notOk(await page.locator('#by-hand').isVisible())
})
