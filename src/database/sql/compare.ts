/** How a database compares ids and texts. Whose records a caller sees depends on this. */
import type { Expression, RawBuilder } from 'kysely'
import type { Parameter } from '../parameter.js'

export type Condition = RawBuilder<boolean>

export interface CompareSql {
  /** Compares in the type of the column, and uses its index. The type may cast (`12 = '12abc'`) or ignore case. */
  equals(column: Expression<unknown>, value: Parameter): Condition
  /** Compares character by character (contract 14 and 69), and uses the index of the column: `equals`, and the bytes. */
  same(column: Expression<unknown>, value: Parameter): Condition
  /**
   * Like `same`, for two columns: `u.user_id = r.user_id and <bytes of u.user_id> = <bytes of r.user_id>`.
   *
   * @param bytes the bytes of `one`, where a query has selected them
   */
  sameTexts(one: Expression<unknown>, other: Expression<unknown>, bytes?: Expression<unknown>): Condition
  /** Whole numbers and UUIDs, for which `=` is exact. */
  isExactId?(column: Expression<unknown>): Condition
}
