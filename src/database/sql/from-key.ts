/** How a database goes on from a record, for `each`. */
import type { Expression } from 'kysely'
import type { Parameter } from '../parameter.js'
import type { Condition } from './compare.js'

/** The place of a record in the list's order. */
export interface Key<Value = string> {
  readonly time: Value
  readonly id: Value
}

export interface KeySql {
  /**
   * Whether a record has the key, or stands after the key in the list's order. Uses the index of the order. Compares in
   * the types of the columns, as `order by` does. If the types equate several ids (`abc` and `ABC`), the condition also
   * holds for those before the key.
   */
  fromKey(time: Expression<unknown>, id: Expression<unknown>, key: Key<Parameter>, direction: 'asc' | 'desc'): Condition
  /** Whether no condition of `fromKey` finds the record, because its time or its id is null, or a BLOB of SQLite. */
  unreachable(time: Expression<unknown>, id: Expression<unknown>): Condition
}
