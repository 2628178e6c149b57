/** The SQL of a reach, for every page and every total (contract 66, 67 and 69). */
import { type RawBuilder, sql } from 'kysely'
import type { Condition } from '../database/dialect.js'
import type { Parameter } from '../database/parameter.js'
import type { RequestTables } from '../database/source.js'
import type { Fitted } from './fitted.js'
import type { Question } from './question.js'

export interface Scope {
  join: RawBuilder<unknown>
  where: Condition[]
  /** The condition for a user `u` in reach. Undefined where only the join limits the users. */
  user?: Condition
}

/**
 * own:    `where r.user_id = <caller>`
 * linked: `join (select user_id from links where owner_id = <caller>
 *   union select user_id from records where user_id = <caller>) v on v.user_id = r.user_id`
 * all:    nothing
 *
 * `linked` is a join, because MySQL and MariaDB scan every record for `r.user_id = … or r.user_id in (…)`. The
 * second half of the union reads a column and not a parameter, because the join uses the index only if both halves have
 * the column's type. Ids are also compared byte for byte, because a collation may match `abc` with `ABC`.
 *
 * @throws Error for `none`, which the route refuses with a 403.
 */
export function scopeOf(
  { list, reach, owner: ownBy }: Pick<Question, 'list' | 'reach' | 'owner'>,
  userId: Parameter,
  fitted: Fitted,
  tables: RequestTables
): Scope {
  const { column, sameCaller, sameIds, bytes, foreign } = fitted
  const owner = `r.${list.owner}`
  const own = (path: string) => sameCaller(column(path), userId)
  // The bytes keep ids apart that the type of the column equates.
  const userIds = (path: string) => sql`${column(path)} as user_id, ${bytes(column(path))} as bytes`
  const nothing = sql``
  switch (reach) {
    case 'all':
      return { join: nothing, where: [] }
    case 'own':
      return { join: nothing, where: [own(`r.${ownBy}`)] }
    case 'linked': {
      const visible = sql`
          select ${userIds('l.user_id')} from ${tables.of('links')} as l where ${own('l.owner_id')}
          union
          select ${userIds(`o.${list.owner}`)} from ${tables.of(list.name)} as o where ${own(`o.${list.owner}`)}`
      if (foreign) return foreign.linked(visible, column(owner), column('u.user_id'))
      return {
        join: sql`inner join (${visible}
        ) as v on ${sameIds(sql.ref('v.user_id'), column(owner), sql.ref('v.bytes'))}`,
        where: []
      }
    }
    case 'none':
      throw new Error("The reach 'none' has no query.")
  }
}
