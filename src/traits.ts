/**
 * What must be known of a database's columns before a query can be built. Most columns ignore the case of
 * letters and most ids are whole numbers, for which the plainest SQL is right and fastest; a case-sensitive
 * or Turkish collation needs more to find `jane` in `JANE` (contract B7), and ids as text more than `=` not
 * to take `abc` for `ABC`.
 */
import { type RawBuilder, sql } from 'kysely'
import type { Reading, Row } from './plan.js'
import { columnsOf } from './relations.js'
import { searchedColumns } from './search.js'
import { textOf } from './send.js'
import type { Source } from './source.js'

export interface Traits {
  /** The searched columns, as `u.email`, whose collation counts the case of letters. */
  readonly countingCase: ReadonlySet<string>
  /** Whether `=` tells all ids of people apart: they are all exact numbers. */
  readonly plainIds: boolean
  /** The same of the records' ids. */
  readonly plainRecordIds: boolean
}

/** What is right for every column, if not the fastest. */
export const unknownTraits: Traits = { countingCase: new Set(), plainIds: false, plainRecordIds: false }

/** Runs a query of the source. */
export type Run = (query: RawBuilder<Row>) => Promise<Row[]>

/** Gives the traits. A source is asked until it has answered once. */
export type TraitsOf = (source: Source, run: Run) => Promise<Traits>

export function traitsOf({ records, search, joins }: Reading): TraitsOf {
  const known = new WeakMap<Source, Traits>()
  const relations = { r: records, u: 'users', l: 'links', ...joins } as const
  const searched = searchedColumns(search).flat()
  const ids = Object.entries(relations).flatMap(([alias, relation]) =>
    columnsOf[relation].filter(isId).map((column) => `${alias}.${column}`)
  )
  const recordId = `r.${columnsOf[records][0]}`

  // what is under way is not shared: it would end with the time of the request that began it
  return async (source, run) => {
    const traits = known.get(source) ?? (await ask(source, run))
    known.set(source, traits)
    return traits
  }

  /** `select <counts case> as `case u.email`, … from (select 1) as one left join (users) as u on 1 = 0 …`: reads no row. */
  async function ask({ dialect, relation }: Source, run: Run): Promise<Traits> {
    const { letterCase, isExactNumber } = dialect
    const cells = [
      ...searched.flatMap((column) =>
        letterCase ? [sql`${letterCase.counts(sql.ref(column))} as ${sql.id(`case ${column}`)}`] : []
      ),
      ...ids.flatMap((column) =>
        isExactNumber ? [sql`${isExactNumber(sql.ref(column))} as ${sql.id(`number ${column}`)}`] : []
      )
    ]
    if (cells.length === 0) return unknownTraits
    const from = Object.entries(relations).map(
      ([alias, name]) => sql`left join ${relation(name)} as ${sql.id(alias)} on 1 = 0`
    )
    const [row] = await run(sql`select ${sql.join(cells)} from (select 1 as one) as one ${sql.join(from, sql` `)}`)
    const is = (trait: string, column: string) => truthOf(row?.[`${trait} ${column}`])
    return {
      // an answer that the driver has garbled counts: then more is looked for, never less
      countingCase: new Set(letterCase ? searched.filter((column) => is('case', column) !== false) : []),
      // a record's own id meets only itself
      plainIds: ids.every((column) => column === recordId || is('number', column) === true),
      plainRecordIds: is('number', recordId) === true
    }
  }
}

const isId = (column: string) => column.endsWith('_id')

/** Drivers give 1, '1', a Buffer or true. */
const truthOf = (cell: unknown): boolean | undefined =>
  new Map([
    ['1', true],
    ['true', true],
    ['0', false],
    ['false', false]
  ]).get(textOf(cell) ?? '')
