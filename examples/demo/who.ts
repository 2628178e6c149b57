/** "Who sees what": one question, and what each caller of the demo gets. */
import type { ListingError } from 'fastify-assessment-payment-listing'
import type { PageList } from './lists.js'
import type { DemoCaller, DemoListings } from './page.js'

export interface WhoSees {
  /** `without`: the titles of the columns that none of the caller's items has, or only some. */
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

/** A record may be on a later page of a caller who sees others before it, so it is also asked for by its id. */
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
        const page = items as unknown as Record<string, unknown>[]
        const ids = new Set(page.map((item) => item[id]))
        const isSeen = async (wanted: unknown) =>
          ids.has(wanted) ||
          (Number(total) > page.length &&
            Boolean(await listings.get(name as 'certificates', String(wanted), { caller: { userId, role: roles } })))
        return { ...caller, status: 200, total: total ?? 0, items: page, isSeen }
      } catch (error) {
        const isSeen = async () => false
        return { ...caller, status: (error as ListingError).statusCode ?? 500, total: 0, items: [], isSeen }
      }
    })
  )
  const [widest] = answers.toSorted((one, other) => other.total - one.total)
  const telling = [...columns.filter(({ isSearched }) => isSearched), ...columns.slice(2)].slice(0, 2)
  return {
    callers: answers.map(({ items, isSeen: _isSeen, ...answer }) => {
      const without = columns.flatMap(({ title, fields: [field = ''] }) => {
        const lacking = items.filter((item) => !(field in item)).length
        if (lacking === 0) return []
        return lacking === items.length ? [title] : [`${title} in some`]
      })
      return { ...answer, without }
    }),
    records: await Promise.all(
      (widest?.items ?? []).map(async (item) => ({
        id: String(item[id]),
        texts: telling.map(({ fields }) => fields.map((field) => String(item[field] ?? '')).join(' ')),
        isSeen: await Promise.all(answers.map(({ isSeen }) => isSeen(item[id])))
      }))
    )
  }
}
