/** "Who sees what": one question, and what each caller of the demo gets. */
import type { ListingError } from 'fastify-assessment-payment-listing'
import type { PageList } from './lists.js'
import type { DemoCaller, DemoListings } from './page.js'

export interface WhoSees {
  /** `without`: the titles of the columns that the caller's items do not have. */
  callers: { role: string; name: string; status: number; total: number; without: string[] }[]
  /** The first records of the caller who sees most, and whether each caller sees them. */
  records: { id: string; texts: string[]; isSeen: boolean[] }[]
}

/** The callers with the second roles that were chosen. */
export const withRoles = (callers: DemoCaller[], also: Record<string, string>): DemoCaller[] =>
  callers.map((caller) => {
    const more = also[caller.role]
    return more ? { ...caller, roles: [...caller.roles, more] } : caller
  })

/** Whatever a caller sees of the newest records of all is among the newest of the caller's own, so a page each is enough. */
export async function whoSees(
  { name, columns, isEndless }: PageList,
  query: Record<string, string | string[]>,
  callers: DemoCaller[],
  listings: DemoListings
): Promise<WhoSees> {
  const id = String(columns[0]?.fields)
  const answers = await Promise.all(
    callers.map(async ({ userId, role, roles, name: person }) => {
      const caller = { role, name: person }
      try {
        const { total, items } = await listings.find(name, {
          caller: { userId, role: roles },
          query: { search: '', ...query, ...(isEndless ? { total: 'true' } : { page: '1' }) } as object
        })
        return { ...caller, status: 200, total: total ?? 0, items: items as unknown as Record<string, unknown>[] }
      } catch (error) {
        return { ...caller, status: (error as ListingError).statusCode ?? 500, total: 0, items: [] }
      }
    })
  )
  const [widest] = answers.toSorted((one, other) => other.total - one.total)
  const ids = answers.map(({ items }) => new Set(items.map((item) => item[id])))
  const telling = [...columns.filter(({ isSearched }) => isSearched), ...columns.slice(2)].slice(0, 2)
  return {
    callers: answers.map(({ items, ...answer }) => {
      const without = columns.filter(({ fields: [field = ''] }) => items[0] && !items.some((item) => field in item))
      return { ...answer, without: without.map(({ title }) => title) }
    }),
    records: (widest?.items ?? []).map((item) => ({
      id: String(item[id]),
      texts: telling.map(({ fields }) => fields.map((field) => String(item[field] ?? '')).join(' ')),
      isSeen: ids.map((seen) => seen.has(item[id]))
    }))
  }
}
