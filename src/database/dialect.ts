/** What differs between databases. A file of `dialects` has everything of a database; `cells.ts` and each file of `sql` have one use of all. */
import type { CellSql } from './cells.js'
import type { CompareSql } from './sql/compare.js'
import type { FilterSql } from './sql/filter.js'
import type { KeySql } from './sql/from-key.js'
import type { ReachSql } from './sql/reach.js'
import type { RunSql } from './sql/run.js'
import type { SearchSql } from './sql/search.js'

/** What the statements of a list are made of. */
export interface ListSql extends CellSql, CompareSql, FilterSql, KeySql, ReachSql, SearchSql {}

export interface Dialect extends ListSql, RunSql {
  readonly name: 'mysql' | 'postgres' | 'sqlite'
  /**
   * Slower overrides used after the database rejects the client's text: `漢` for a latin1 column of MySQL, `abc` for a
   * bigint column of PostgreSQL.
   */
  readonly fallback?: Partial<ListSql>
}
