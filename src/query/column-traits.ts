/**
 * What a query needs to know of the columns. Most columns ignore case and most ids are whole numbers: there the
 * plainest SQL is right and fastest. A case-sensitive or Turkish collation needs more SQL to find `jane` in `JANE`
 * (contract 74). Text ids need more than `=`, which may take `abc` for `ABC`.
 */
import { type RawBuilder, sql } from 'kysely'
import { LRUCache } from 'lru-cache'
import type { Text } from '../database/cells.js'
import { GarbledRows, moreSamples, type Row, readerOf } from '../database/cells.js'
import { sampleCells } from '../database/dialect.js'
import type { Source } from '../database/source.js'
import { columnsOf } from '../database/tables.js'
import { failureOf } from '../errors/classify.js'
import { aliasesOf, type List, searchedColumns } from '../lists/list.js'

export interface Traits {
  /** The searched columns, such as `u.email`, whose collation is case-sensitive. */
  readonly countingCase: ReadonlySet<string>
  /** Whether all ids of people are exact numbers, which `=` tells apart. */
  readonly plainIds: boolean
  /** The same for the records' ids. */
  readonly plainRecordIds: boolean
}

/** The traits of statements that are only explained: ids of any kind, and the case as each collation has it. */
export const unknownTraits: Traits = { countingCase: new Set(), plainIds: false, plainRecordIds: false }

/** Runs a query of the source. */
export type Run = (query: RawBuilder<Row>) => Promise<Row[]>

/** Gives the traits. The database is asked once a minute, because its tables may change while the server runs. */
export type TraitsOf = (source: Source, run: Run) => Promise<Traits>

/**
 * @param ttl milliseconds for which the traits hold
 * @param max the number of tables whose traits are known at a time, of all sources
 */
export function columnTraits(list: List, ttl = 60_000, max = 500): TraitsOf {
  const { records, search } = list
  // 0, because lru-cache otherwise starts a timer.
  const known = new LRUCache<string, Traits>({ ttl, max, ttlResolution: 0 })
  const joined = Object.entries(aliasesOf(list))
  const searched = searchedColumns(search).flat()
  const recordId = `r.${columnsOf[records][0]}`

  // Requests do not share a query that is under way: the query would end at the deadline of the request that began it.
  return async (source, run) => {
    // Where a plugin makes new nodes for each request, the SQL tells the tables apart.
    const tablesNow = () => source.version() ?? `${source.id}; ${from(source).compile(source.db).sql}`
    const tables = tablesNow()
    const found = known.get(tables)
    if (found) return found
    const traits = await ask(source, run)
    // A plugin may have changed the tables meanwhile.
    if (tablesNow() === tables) known.set(tables, traits)
    return traits
  }

  /**
   * `from (select 1 as one) as one left join (select x.user_id, … from users as x limit 0) as u on 1 = 1 …`:
   * the columns without a row. No row is read. (With `on 1 = 0` MariaDB reads every table from end to end.)
   * The columns have names, because an account may not read other columns.
   */
  function from({ table, columns }: Source) {
    const joins = joined.map(([alias, name]) => {
      const cells = sql.join(columns(name).map((column) => sql.ref(`x.${column}`)))
      return sql`left join (select ${cells} from ${table(name)} as x limit 0) as ${sql.id(alias)} on 1 = 1`
    })
    return sql`from (select 1 as one) as one ${sql.join(joins, sql` `)}`
  }

  async function ask(source: Source, run: Run): Promise<Traits> {
    const { letterCase, isExactNumber, bytes, sample } = source.dialect
    const columns = from(source)
    /** Asks a condition of each column. */
    const read = async (names: string[], holds: ((column: RawBuilder<unknown>) => RawBuilder<boolean>) | undefined) => {
      if (!holds) return new Map<string, undefined>()
      // Bytes come whole through any connection.
      const cells = names.map((name) => sql`${bytes(sql`(${holds(sql.ref(name))})`)} as ${sql.id(name)}`)
      const proof = sampleCells({ text: bytes, sample }, moreSamples)
      const [row = {}] = await run(sql<Row>`select ${sql.join([...cells, ...proof])} ${columns}`)
      const textOf = readerOf(row, moreSamples)
      if (!textOf) throw new GarbledRows()
      return new Map(names.map((name) => [name, truths.get(textOf(row[name]))]))
    }
    const ids = joined.flatMap(([alias, name]) =>
      source
        .columns(name)
        .filter(isId)
        .map((column) => `${alias}.${column}`)
    )
    const counts = await read(searched, letterCase?.counts)
    const numbers = await read(ids, isExactNumber).catch((error): Map<string, undefined> => {
      // MariaDB cannot compute with an id of a type such as UUID.
      if (failureOf(error).kind === 'internal') return new Map()
      throw error
    })
    return {
      // An unknown answer counts as case-sensitive, for which the SQL finds more and never less.
      countingCase: new Set(searched.filter((name) => counts.get(name) !== false)),
      // The id of a record is only compared with itself.
      plainIds: ids.every((name) => name === recordId || numbers.get(name) === true),
      plainRecordIds: numbers.get(recordId) === true
    }
  }
}

const isId = (column: string) => column.endsWith('_id')

/** How databases write true and false. */
const truths: ReadonlyMap<Text, boolean> = new Map([
  ['1', true],
  ['true', true],
  ['0', false],
  ['false', false]
])
