/** How a database reads the records that are linked to a caller. Other SQL can be a hundred times slower. */
import type { Condition } from './compare.js'
import type { UserSearch } from './search.js'

export interface ReachSql {
  /** The id of a record is among linked ids, which are found as users are. */
  isAmongLinked(search: Pick<UserSearch, 'ofRecord' | 'ofUser' | 'found'>): Condition
  /**
   * From how many parts of a reach on a subquery reads each part by its own index. Otherwise a condition does, with `or`.
   */
  readonly subqueryFrom?: 1 | 2
}
