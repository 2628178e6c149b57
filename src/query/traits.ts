/**
 * Queries the traits of the columns. A case-sensitive or Turkish collation needs more SQL to find `jane` in `JANE`
 * (contract 74). A text needs more than `=`, which may match `abc` with `ABC` (contract 14 and 69).
 */
import { type RawBuilder, sql } from 'kysely'
import { LRUCache } from 'lru-cache'
import { type Condition, sampleCells } from '../database/dialect.js'
import { GarbledRows, moreSamples, type Row, readerOf, type Text } from '../database/driver-samples.js'
import type { Session } from '../database/session.js'
import { failureOf } from '../errors/classify.js'
import { type List, tablesOf } from '../lists/list.js'

export interface Traits {
  /** The searched columns, such as `u.email`, whose collation is case-sensitive. */
  readonly caseSensitive: ReadonlySet<string>
  /** The searched columns whose character set has every character. */
  readonly wideTexts: ReadonlySet<string>
  /** The filtered columns, such as `r.status`, for which `=` is enough. */
  readonly exactTexts: ReadonlySet<string>
  /** Whether the ids of users and practitioners are exact numbers, for which `=` is enough. */
  readonly plainIds: boolean
  /** Whether the ids of the records are exact numbers. */
  readonly plainRecordIds: boolean
  /** Whether the database has foreign tables, which need statements of their own. */
  readonly foreignTables: boolean
  /** Identifies the traits in cache keys. */
  readonly key: string
}

/** For the statements of the start-up check, which reads no traits. */
export const unknownTraits: Traits = {
  caseSensitive: new Set(),
  wideTexts: new Set(),
  exactTexts: new Set(),
  plainIds: false,
  plainRecordIds: false,
  foreignTables: false,
  key: ''
}

export type TraitsOf = (session: Session) => Promise<Traits>

/**
 * Reads the traits of the current tables, at most once a minute.
 *
 * @param ttl milliseconds. Traits expire, because tables can change while the server runs
 */
export function cachedTraits(list: List, ttl = 60_000, max = 500): TraitsOf {
  const { id, owner, practitioner, search, filters } = list
  // Any other resolution makes lru-cache start a timer.
  const cache = new LRUCache<string, Traits>({ ttl, max, ttlResolution: 0 })
  const joined = Object.entries(tablesOf(list))
  const searched = [...search.records, ...search.users]
  const filtered = Object.values(filters)
    .filter(({ operator }) => operator === '=')
    .map(({ column }) => `r.${column}`)
  const recordId = `r.${id}`

  // Requests do not share a running query, because the query ends at the deadline of the request that started it.
  return async (session) => {
    const { shape } = session.tables
    const found = cache.get(shape)
    if (found) return found
    const traits = await traitsIn(session)
    cache.set(shape, traits)
    return traits
  }

  /**
   * `from (select 1 as one) as one left join (select x.user_id, … from users as x limit 0) as u on 1 = 1 …`
   *
   * The join reads no row. With `on 1 = 0`, MariaDB scans every table. The account may lack the right to read `x.*`.
   */
  function from({ tables, columns }: Session) {
    const joins = joined.map(([alias, name]) => {
      const cells = sql.join(Object.keys(columns(name)).map((column) => sql.ref(`x.${column}`)))
      return sql`left join (select ${cells} from ${tables.of(name)} as x limit 0) as ${sql.id(alias)} on 1 = 1`
    })
    return sql`from (select 1 as one) as one ${sql.join(joins, sql` `)}`
  }

  async function traitsIn(session: Session): Promise<Traits> {
    const { letterCase, isWideText, isExactNumber, isExactText, foreignTables } = session.dialect
    const ids = joined.flatMap(([alias, name]) => {
      const columns = Object.entries(session.columns(name)).filter(([, { kind }]) => kind === 'id')
      return columns.map(([column]) => `${alias}.${column}`)
    })
    const texts = await truthsOf(session, [
      ...conditionsOf('sensitive', searched, letterCase?.isSensitive),
      ...conditionsOf('wide', searched, isWideText),
      ...conditionsOf('exact', filtered, isExactText)
    ])
    const others = await truthsOf(session, [
      ...conditionsOf('number', ids, isExactNumber),
      ...(foreignTables ? [['foreign', foreignTables.exist] as const] : [])
    ]).catch((error): Truths => {
      // MariaDB cannot compute with some types, such as UUID.
      if (failureOf(error).kind === 'internal') return new Map()
      throw error
    })
    // An unknown answer counts as case-sensitive, because that SQL finds at least as much.
    const caseSensitive = searched.filter((column) => texts.get(`sensitive ${column}`) !== false)
    const wideTexts = searched.filter((column) => texts.get(`wide ${column}`) === true)
    const exactTexts = filtered.filter((column) => texts.get(`exact ${column}`) === true)
    const isNumber = (id: string) => others.get(`number ${id}`) === true
    const isOfPerson = id === owner || id === practitioner
    const plainIds = ids.every((each) => (each === recordId && !isOfPerson) || isNumber(each))
    const plainRecordIds = isNumber(recordId)
    const hasForeignTables = others.get('foreign') === true
    return {
      caseSensitive: new Set(caseSensitive),
      wideTexts: new Set(wideTexts),
      exactTexts: new Set(exactTexts),
      plainIds,
      plainRecordIds,
      foreignTables: hasForeignTables,
      key: [...caseSensitive, '', ...wideTexts, '', ...exactTexts, plainIds, plainRecordIds, hasForeignTables].join()
    }
  }

  /** Reads whether each condition holds. */
  async function truthsOf(session: Session, conditions: NamedCondition[]): Promise<Truths> {
    if (conditions.length === 0) return new Map()
    const { bytes, sample } = session.dialect
    // A connection's character set does not change bytes.
    const cells = conditions.map(([name, condition]) => sql`${bytes(sql`(${condition})`)} as ${sql.id(name)}`)
    const samples = sampleCells({ text: bytes, sample }, moreSamples)
    const query = session.compile(sql<Row>`select ${sql.join([...cells, ...samples])} ${from(session)}`)
    const [row = {}] = await session.timed('columns', () => session.run(query))
    const textOf = readerOf(row, moreSamples)
    if (!textOf) throw new GarbledRows()
    return new Map(conditions.map(([name]) => [name, truths.get(textOf(row[name]))]))
  }
}

type NamedCondition = readonly [name: string, condition: Condition]

type Truths = ReadonlyMap<string, boolean | undefined>

const conditionsOf = (
  trait: string,
  columns: readonly string[],
  holds: ((column: RawBuilder<unknown>) => Condition) | undefined
): NamedCondition[] => (holds ? columns.map((column) => [`${trait} ${column}`, holds(sql.ref(column))]) : [])

const truths: ReadonlyMap<Text, boolean> = new Map([
  ['1', true],
  ['true', true],
  ['0', false],
  ['false', false]
])
