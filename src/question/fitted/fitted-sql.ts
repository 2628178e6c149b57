/** The SQL of a database, fitted to the tables of a list: the columns are known, and nothing asks for them again. */
import { type Expression, sql } from 'kysely'
import { type CellReader, textOf } from '../../database/cells.js'
import type { Condition, Dialect, ListSql } from '../../database/dialect.js'
import type { Parameter } from '../../database/parameter.js'
import type { Tables } from '../../database/source.js'
import { tablesOf } from '../../lists/aliases.js'
import type { List, Path } from '../../lists/list.js'

/** What the look at the columns says. */
export interface Traits {
  /** Whether the connection changes texts, so that cells are read as bytes. */
  readonly hasBytes: boolean
  readonly readCell: CellReader
  /** How a searched column contains a term: usually, and after the database has refused a text. */
  readonly searched: Readonly<Record<string, Readonly<Record<'usual' | 'slower', Comparison>>>>
  /** The ids that are whole numbers or UUIDs: `=` alone is exact for them, and none is empty. */
  readonly exactIds: readonly string[]
  /** The other columns for which `=` alone is exact: ids that are texts, and columns of a few values. */
  readonly exactTexts: readonly string[]
  /** The columns of a place in the order that have no type (see `isUntyped`). */
  readonly untyped: readonly string[]
  /** The milliseconds that a statement may take without a transaction. Infinity if it needs one. */
  readonly directLimit: number
  /** The milliseconds that the session allows a statement. */
  readonly maxMilliseconds: number
}

/** `own`: by the column's collation. `folded`: `a` also matches `A` (contract 74). `converted`: as Unicode text. */
export type Comparison = 'own' | 'folded' | 'converted'

/**
 * The next rung serves after the database has refused a text, such as `漢` for a latin1 column, or `abc` for a bigint:
 *
 * - 2: a client can repeat such a text, so own records keep their index (contract 132). Computed texts need its key.
 * - 3: the caller's id was refused, or a column of another collation than the connection's needs the usual key.
 */
const rungs = [
  { texts: 'usual', caller: 'usual', key: 'usual' },
  { texts: 'slower', caller: 'usual', key: 'slower' },
  { texts: 'slower', caller: 'slower', key: 'usual' }
] as const

type Rungs = readonly [(typeof rungs)[number], ...(typeof rungs)[number][]]

/** What tells an id from every other: the column, and its bytes where `=` alone is not exact. */
export type Identity = readonly [id: Expression<unknown>, ...bytes: Expression<unknown>[]]

export interface Fitted extends ListSql {
  readonly list: List
  readonly tables: Tables
  readonly readCell: CellReader
  readonly directLimit: number
  readonly maxMilliseconds: number
  /** The next rung, for after the database has refused a text. */
  readonly slower: Fitted | undefined
  /** Tells the cached statements from those of other tables and traits. */
  readonly number: number
  /** The column of a path, under the name that it has in the table. */
  column(path: Path): Expression<unknown>
  /** A searched column is like a pattern (contract 73 and 74). */
  isLike(path: Path, pattern: Parameter): Condition
  /** The column has the id of the caller, character by character (contract 69). */
  isCaller(path: Path, id: Parameter): Condition
  /** The column has an id that a client gives, character by character (contract 69). */
  isId(path: Path, id: Parameter): Condition
  /** Two ids, character by character. */
  sameIds(one: Path, other: Path): Condition
  /** Whether `=` alone is exact for all of these columns. */
  isExact(...paths: Path[]): boolean
  /** Whether the column holds whole numbers or UUIDs, which are never empty. */
  isNeverEmpty(path: Path): boolean
  /** Whether the database converts no text to the type of the column, because it has none. */
  hasNoType(path: Path): boolean
  /** The id of a column among the ids of the others. */
  identity(path: Path, ...others: Path[]): Identity
}

/** Before a look, `=` is exact for no id. */
export const unknownTraits: Traits = {
  hasBytes: false,
  readCell: textOf,
  searched: {},
  exactIds: [],
  exactTexts: [],
  untyped: [],
  directLimit: Number.POSITIVE_INFINITY,
  maxMilliseconds: Number.POSITIVE_INFINITY
}

let lastNumber = 0

export function fittedOf(
  list: List,
  tables: Tables,
  dialect: Dialect,
  traits = unknownTraits,
  [rung, ...others]: Rungs = rungs
): Fitted {
  const { hasBytes, searched, exactIds, exactTexts, untyped, readCell, directLimit, maxMilliseconds } = traits
  const compared = { usual: dialect, slower: { ...dialect, ...dialect.fallback } }
  const [next, ...last] = dialect.fallback ? others : []
  const contains = {
    own: dialect.contains,
    folded: dialect.letterCase.contains,
    converted: dialect.containsConverted ?? dialect.contains
  }
  const aliases: Readonly<Record<string, string>> = { ...tablesOf(list), o: list.name }
  const column = (path: Path) => {
    const [alias = '', name = ''] = path.split('.')
    const table = aliases[alias]
    return sql.id(alias, table === undefined ? name : tables.of(table).column(name))
  }
  // `k` has ids of `r`, and `o` is another `r`.
  const lookedAt = (path: Path) => (path === 'k.id' ? `r.${list.id}` : path.replace(/^o\./, 'r.'))
  const isExactText = (path: Path) => exactTexts.includes(lookedAt(path))
  const isExactId = (path: Path) => exactIds.includes(lookedAt(path))
  const isExact = (...paths: Path[]) => paths.every((path) => isExactId(path) || isExactText(path))
  const hasId =
    ({ equals, same }: ListSql) =>
    (path: Path, id: Parameter) =>
      (isExactText(path) || (isExactId(path) && id.form.isWhole) ? equals : same)(column(path), id)
  return {
    ...compared[rung.texts],
    fromKey: compared[rung.key].fromKey,
    list,
    tables,
    readCell,
    directLimit,
    maxMilliseconds,
    number: ++lastNumber,
    slower: next && fittedOf(list, tables, dialect, traits, [next, ...last]),
    text: hasBytes ? dialect.bytes : dialect.text,
    column,
    isExact,
    isNeverEmpty: isExactId,
    hasNoType: (path) => untyped.includes(path),
    identity: (path, ...others) => [column(path), ...(isExact(path, ...others) ? [] : [dialect.bytes(column(path))])],
    isLike(path, pattern) {
      const comparison = searched[path]?.[rung.texts] ?? 'own'
      return contains[comparison](column(path), pattern)
    },
    isCaller: hasId(compared[rung.caller]),
    // PostgreSQL would refuse `abc` for a bigint, and then compare every record as a text.
    isId: (path, id) => (isExactId(path) && !id.form.isExactId ? sql`1 = 0` : hasId(compared[rung.texts])(path, id)),
    sameIds: (one, other) =>
      isExact(one, other) ? sql`${column(one)} = ${column(other)}` : dialect.sameTexts(column(one), column(other))
  }
}
