/**
 * Lists as they are often written by hand. They read the demo's own tables, to show what goes wrong: the total counts rows
 * that the caller may not see, a row is on two pages, and a filter with a typo is silently ignored. Copy nothing of it.
 */
import { type RawBuilder, sql } from 'kysely'
import type { PageList } from './lists.js'

type Condition = RawBuilder<unknown>
type ForCaller = (me: number) => Condition

export interface ByHand {
  id: string
  /** The one filter that it has, and how somebody may misspell it. */
  filter: string
  typo: string
  time: string
  person: string
  searched: string[]
  /** Which rows each role sees. */
  roles: Record<string, ForCaller>
  others?: ForCaller
}

const everything = () => sql`true`
const own = (me: number) => sql`r.user_id = ${me}`
const ownOrLinked = (me: number) =>
  sql`(r.user_id = ${me} or r.user_id in (select user_id from links where owner_id = ${me}))`
const linkedClinics = (me: number) => sql`r.clinic_id in (select linked_id from clinic_staff where owner_id = ${me})`

const admins = { Admin: everything, 'Super Admin': everything }
export const listsByHand: Record<PageList['name'], ByHand> = {
  assessments: {
    id: 'assessment_id',
    filter: 'status',
    typo: 'staus=pending',
    time: 'created_at',
    person: 'user_id',
    searched: ['u.first_name', 'u.last_name', 'u.email'],
    roles: {
      Individual: own,
      Practitioner: ownOrLinked,
      'Master Practitioner': ownOrLinked,
      Institutional: ownOrLinked,
      ...admins
    }
  },
  payments: {
    id: 'payment_id',
    filter: 'processor_status',
    typo: 'processor_staus=failed',
    time: 'created_at',
    person: 'user_id',
    searched: ['r.payment_intent', 'u.email'],
    roles: admins,
    others: own
  },
  certificates: {
    id: 'certificate_id',
    filter: 'level',
    typo: 'levle=expert',
    time: 'issued_at',
    person: 'holder_id',
    searched: ['r.title', 'u.email'],
    roles: {
      Individual: (me) => sql`r.holder_id = ${me}`,
      Practitioner: (me) =>
        sql`(r.examiner_id = ${me} or r.holder_id in (select user_id from links where owner_id = ${me}))`,
      'Master Practitioner': (me) => sql`(r.examiner_id = ${me} or ${linkedClinics(me)})`,
      Institutional: linkedClinics,
      ...admins
    }
  }
}

interface Asked {
  caller: { userId: number; roles: string[] }
  /** It reads the parameters that it knows, and looks at no other. */
  query: Record<string, string | undefined>
  page: number
  limit: number
}

const where = (conditions: Condition[]) =>
  conditions.length > 0 ? sql`where ${sql.join(conditions, sql` and `)}` : sql``

/** The two statements of a page: its rows, and the total. */
export function statementsByHand(name: PageList['name'], { caller, query, page, limit }: Asked) {
  const { id, filter, time, person, searched, roles, others } = listsByHand[name]
  const reaches = caller.roles.flatMap((role) => roles[role] ?? others ?? [])
  const seen = reaches.map((reach) => reach(caller.userId))
  const mayBeSeen = sql`(${sql.join(seen, sql` or `)})`

  const { search = '', [filter]: wanted } = query
  const pattern = `%${search.replace(/[%_!]/g, '!$&')}%`
  const found = searched.map((column) => sql`${sql.raw(column)} like ${pattern} escape '!'`)
  const matches = [
    ...(search ? [sql`(${sql.join(found, sql` or `)})`] : []),
    ...(wanted ? [sql`${sql.raw(`r.${filter}`)} = ${wanted}`] : [])
  ]

  const from = sql.raw(`from ${name} as r left join users as u on u.user_id = r.${person}`)
  return {
    // the join has a row for each organization, limit counts these, and the order has no id
    rows: sql<{ id: unknown }>`select ${sql.raw(`r.${id}`)} as id, u.email, m.org_name ${from}
      left join memberships as m on m.user_id = u.user_id ${where([mayBeSeen, ...matches])}
      order by ${sql.raw(`r.${time}`)} desc limit ${limit} offset ${(page - 1) * limit}`,
    // which rows the caller may see is forgotten
    total: sql<{ total: unknown }>`select count(*) as total ${from} ${where(matches)}`
  }
}
