/** What a list of the library answers, beside what a list written by hand would have answered to the same question. */
import type { ListingError } from 'fastify-assessment-payment-listing'
import type { Kysely } from 'kysely'
import { listsByHand, statementsByHand } from './by-hand.js'
import { formatted } from './format-sql.js'
import type { PageList } from './lists.js'
import type { DemoCaller, DemoListings } from './page.js'

export interface Beside {
  about: string
  /** `wrong` says what is wrong by hand, or nothing. */
  rows: { what: string; library: string; byHand: string; wrong: string }[]
  /** The statements of the list by hand. */
  sql: string
}

type Query = Record<string, string>
type Pages = string[][]

const limit = 12
/** Pages that are read for a row that is on two of them. */
const most = 10

const number = (value: number) => value.toLocaleString('en')
const counted = (count: number) => `${number(count)} ${count === 1 ? 'record' : 'records'}`

/** @throws ListingError where the list refuses the question */
export async function besideByHand(
  list: PageList,
  caller: DemoCaller,
  given: URLSearchParams,
  { listings, db }: { listings: DemoListings; db: Kysely<Record<string, Record<string, unknown>>> }
): Promise<Beside> {
  const { filter, typo } = listsByHand[list.name]
  const known = ['search', filter]
  const isLeftOut = (name: string) => list.filters.some((filter) => filter.name === name) || name === 'sort'
  const leftOut = [...new Set(given.keys())].filter((name) => !known.includes(name) && isLeftOut(name))
  const query: Query = { search: '' }
  for (const name of known) if (given.has(name)) query[name] = String(given.get(name))

  const find = async (more: Query) => {
    const call = { caller: { userId: caller.userId, role: caller.roles }, query: { ...query, limit, ...more } }
    const { items, total = 0, ...page } = await listings.find(list.name, call as never)
    const ids = (items as unknown as Record<string, unknown>[]).map((item) => String(item[listsByHand[list.name].id]))
    return { ids, total, next: 'next' in page ? page.next : undefined }
  }
  const written = (page: number, asked = query) => statementsByHand(list.name, { caller, query: asked, page, limit })
  const idsByHand = async (page: number) => {
    const { rows } = await written(page).rows.execute(db)
    return [...new Set(rows.map(({ id }) => String(id)))]
  }
  const totalByHand = async (asked?: Query) => Number((await written(1, asked).total.execute(db)).rows[0]?.total)

  const first = await find(list.isEndless ? { total: 'true' } : {})
  const byHand: Pages = [await idsByHand(1)]
  while (repeated(byHand).length === 0 && byHand.at(-1)?.length && byHand.length < most) {
    byHand.push(await idsByHand(byHand.length + 1))
  }
  const library: Pages = [first.ids]
  for (let { next } = first; library.length < byHand.length; ) {
    if (list.isEndless && !next) break
    const page = await find(list.isEndless ? { after: String(next) } : { page: String(library.length + 1) })
    library.push(page.ids)
    next = page.next
  }

  const total = await totalByHand()
  const last = Math.max(1, Math.ceil(total / limit))
  const missed = (await idsByHand(last + 1)).at(-1)
  const [misspelt = '', value = ''] = typo.split('=')
  const refusal = await find({ [misspelt]: value }).catch((error: ListingError) => error)
  const { rows, total: ofAll } = written(1)
  return {
    about: `Both are asked for pages of ${limit}${leftOut.length > 0 ? `, without ${leftOut.join(', ')}, because the list by hand has only ${known.join(' and ')}` : ''}.`,
    rows: [
      {
        what: 'The total',
        library: number(first.total),
        byHand: `${number(total)}${total > 0 && total === first.total ? ', and this caller may see all of them' : ''}`,
        wrong: total === first.total ? '' : `it counts ${counted(total - first.total)} that the caller may not see`
      },
      {
        what: 'The pages',
        library: `${said(library)}${first.total === 0 || repeated(library).length > 0 ? '' : ', each on one page'}`,
        byHand: `${said(byHand)}${said(byHand) === said(library) ? '' : ', because the join repeats a record for each organization, and the limit counts each'}`,
        wrong: [
          ...repeated(byHand).map((id) => `record ${id} is on two pages, ${byHand.length - 1} and ${byHand.length}`),
          ...(missed ? [`record ${missed} is on none of the ${number(last)}`] : [])
        ].join('; ')
      },
      {
        what: `A filter with a typo, ${typo}`,
        library: 'statusCode' in refusal ? `${refusal.statusCode}: ${refusal.message}` : counted(refusal.total),
        byHand: `200, ${counted(await totalByHand({ search: query.search ?? '', [misspelt]: value }))}`,
        wrong: 'it is silently ignored'
      }
    ],
    sql: [rows, ofAll].map((statement) => formatted(statement.compile(db).sql)).join('\n\n')
  }
}

/** The ids that are on more than one page. */
const repeated = (pages: Pages): string[] => pages.flat().filter((id, place, ids) => ids.indexOf(id) !== place)

/** How many rows are on pages. */
function said(pages: Pages): string {
  const count = new Set(pages.flat()).size
  if (count === 0) return 'no records'
  const filled = pages.filter(({ length }) => length > 0).length
  return `${counted(count)} on ${filled === 1 ? 'page 1' : `pages 1 to ${filled}`}`
}
