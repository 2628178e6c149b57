/** How a database compares times, numbers and booleans with the value of a filter. */
import { type Expression, type RawBuilder, sql } from 'kysely'
import type { Parameter } from '../parameter.js'
import type { Condition } from './compare.js'

export interface FilterSql {
  /**
   * Compares a time of the list's order, and uses the index of the order.
   *
   * @param time `YYYY-MM-DD hh:mm:ss.mmm`
   */
  compareTime(column: Expression<unknown>, operator: '>=' | '<', time: Parameter): Condition
  /** Compares a number in decimal digits, and uses the index of the column. */
  compareNumber(
    column: Expression<unknown>,
    operator: '>=' | '<=' | '<',
    number: Parameter,
    isWhole: boolean
  ): Condition
  /** `'true'`, `'false'` or null, for each cell that a column of the kind boolean can have. */
  boolean(column: Expression<unknown>): RawBuilder<string | null>
}

export const booleanOf = (bytes: Expression<unknown>) =>
  sql<
    string | null
  >`case when ${bytes} in ('1', 'true', 't') then 'true' when ${bytes} in ('0', 'false', 'f') then 'false' end`
