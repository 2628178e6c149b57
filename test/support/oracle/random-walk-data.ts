/** The records of random walks: ids and values that a database equates, and the ranks that it gives them. */
import { sql } from 'kysely'
import type { Test } from 'tap'
import { column } from '../../../src/index.js'
import { insert } from '../fixtures/world.js'
import { type DatabaseName, type Db, openDatabase } from '../servers/databases.js'
import { execute } from './check.js'
import type { Random } from './random.js'

const words = [
  ...'abc|kurs-köln|straße|istanbul|İzmir|ısı|κύκλος|йод|Ёлка|日本|が|ｶﾞ|한글|עברית|🙂|🙃|👩‍👧|ﬁn|æon|ae|ø|Ⅷ|x٣|x3|a10|a9'.split(
    '|'
  ),
  ...['100%_!', "o'x", '"q"', 'b\\s', 'null', '0', '1e0', '-', ' ']
]

/** What a collation may not see. */
const twins: ((text: string) => string)[] = [
  (text) => text.toUpperCase(),
  (text) => text.toLowerCase(),
  (text) => text.replace(/\p{M}/gu, ''),
  // Full width.
  (text) => text.replace(/[!-~]/g, (letter) => String.fromCharCode(letter.charCodeAt(0) + 0xfee0)),
  ...['NFC', 'NFD', 'NFKC', 'NFKD'].map((form) => (text: string) => text.normalize(form)),
  ...[' ', '  ', '\t', '.', '-', '\u00ad', '\u200d', '\u0301', '\u0327'].map((end) => (text: string) => text + end),
  ...[' ', '-', '\u200b'].map((start) => (text: string) => start + text)
]

function textsOf(random: Random): () => string {
  const some = random.chance(0.5) ? words : random.times(random.between(1, 4), () => random.pick(words))
  return () => {
    const changes = random.times(random.below(4), () => random.pick(twins))
    const text = changes.reduce((text, change) => change(text), random.pick(some))
    return random.chance(0.15) ? text + random.below(12) : text
  }
}

const ofMysql = [
  'general_ci',
  'unicode_ci',
  'bin',
  '0900_ai_ci',
  '0900_bin',
  'uca1400_ai_ci',
  'turkish_ci',
  'nopad_bin'
]
const collations: Record<DatabaseName, readonly string[]> = {
  sqlite: ['binary', 'nocase', 'rtrim'],
  mysql: ofMysql.map((name) => `utf8mb4_${name}`),
  postgres: ['"default"', '"C"', '"en-x-icu"', 'letters', 'numbers']
}

/** The types that the server has, of texts and of UUIDs. */
async function typesOf(db: Db, database: DatabaseName): Promise<Record<'texts' | 'uuids', string[]>> {
  const can = async (...statements: string[]) => {
    const done = await Promise.allSettled([execute(db, ...statements)])
    return done[0]?.status === 'fulfilled'
  }
  if (database === 'postgres') {
    const made = (name: string, locale: string) =>
      `create collation ${name} (provider = icu, locale = 'und-u-${locale}', deterministic = false)`
    await can(made('letters', 'ks-level1'), made('numbers', 'kn-true-ks-level2'))
  }
  const texts: string[] = []
  for (const name of collations[database]) {
    const text = database === 'mysql' ? "convert('a' using utf8mb4)" : "'a'"
    if (!(await can(`select ${text} collate ${name}`))) continue
    const collated = `${database === 'mysql' ? 'character set utf8mb4 ' : ''}collate ${name}`
    // MariaDB sorts a CHAR without PAD SPACE with its spaces, and compares it without: it equates what it also tells apart.
    const isOdd = database === 'mysql' && /0900|nopad/.test(name)
    const types = database === 'sqlite' ? ['text'] : ['varchar(60)', isOdd ? 'varchar(60)' : 'char(60)']
    texts.push(...types.map((type) => `${type} ${collated}`))
  }
  const hasUuid = await can("select cast('0a1b2c3d-0000-4000-8000-000000000001' as uuid)")
  return { texts, uuids: hasUuid && database !== 'sqlite' ? ['uuid'] : texts }
}

/** A CHAR loses its last spaces. */
const stored = <Value>(type: string, value: Value): Value =>
  typeof value === 'string' && type.startsWith('char') ? (value.replace(/ +$/, '') as Value) : value

export interface Sorted {
  type: string
  whenNull: string
  value: () => unknown
  /** A column of a list. */
  field: (options: object) => unknown
}

/** The columns that sort the list, besides its id. */
function sortedOf(random: Random, database: DatabaseName, types: readonly string[]): Record<string, Sorted> {
  const on = (sqlite: string, mysql: string, postgres: string) => ({ sqlite, mysql, postgres })[database]
  const text = textsOf(random)
  const day = () => `2026-01-0${random.between(1, 9)}`
  const fraction = () => random.pick(['', '.5', '.25', '.000001', '.999999'])
  const time = () => `${day()} 0${random.below(3)}:00:0${random.below(2)}${fraction()}`
  const number = () => random.pick(['-2.50', '0.00', '0.10', '12.00', '1234567890.12'])
  const double = () => random.pick([0.1, 0.1 + 0.2, 0.3, 1 / 3, -2.5, 1e21, 12, 1e-9])
  const of = (kind: string, type: string, pick: () => unknown, example: unknown, nulls = ['error', 'null']): Sorted => {
    const whenNull = random.pick(nulls)
    // Hundreds of records have one of a few values.
    const pool = [pick(), ...random.times(random.pick([0, 1, 2, 60]), pick)]
    const value = () => (whenNull !== 'error' && random.chance(0.25) ? null : stored(type, random.pick(pool)))
    const field = (more: object) => column[kind as 'text']({ whenNull, examples: [example], ...more } as never)
    return { type, whenNull, value, field }
  }
  const moment = () => `${time()}${on('', '', 'Z')}`
  const ofTexts = ['error', 'null', 'empty']
  return {
    made: of('utcTime', on('text', 'timestamp(6)', 'timestamptz'), moment, '2026-01-01T00:00:00Z', ['error']),
    local: of('wallTime', on('text', 'datetime(6)', 'timestamp'), time, '2026-01-01 00:00:00'),
    title: of('text', random.pick(types), text, 'a', ofTexts),
    label: of('text', random.pick(types), () => (random.chance(0.3) ? '' : text()), 'a', ofTexts),
    size: of('integer', 'integer', () => random.between(-3, 3), 1),
    price: of('decimal', 'decimal(12, 2)', number, 1.5),
    weight: of('decimal', on('real', 'double', 'double precision'), double, 1.5),
    day: of('date', on('text', 'date', 'date'), day, '2026-01-01')
  }
}

/** As items show it, and what the table holds. */
type Id = readonly [shown: string, cell: unknown]

/** Different ids of one type. Of bytes, the list has the digits. */
function idsOf(random: Random, database: DatabaseName, { texts, uuids }: Awaited<ReturnType<typeof typesOf>>) {
  const digits = (at: number) => `${['0a', 'ff', '7b'][at % 3]}${at.toString(16).padStart(30, '0')}`
  const dashed = (at: number) => digits(at).replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
  const same =
    (make: (at: number) => string) =>
    (at: number): Id => {
      const id = make(at)
      return [id, id]
    }
  const bytes = { sqlite: 'blob', mysql: 'binary(16)', postgres: 'bytea' }[database]
  const big = database === 'sqlite' ? 'integer' : 'bigint'
  const start = random.pick([-50n, 1n, 9_007_199_254_740_990n])
  const type = random.pick(database === 'mysql' ? [...texts, 'varbinary(200)'] : texts)
  const text = textsOf(random)
  // Few words have few twins.
  const ofTexts = { type, make: same((at) => stored(type, text() + (at > 5000 ? at : ''))) }
  const ofNumbers = { type: random.pick([big, 'decimal(20)']), make: same((at) => String(start + BigInt(at))) }
  return random.pick([
    { type: bytes, make: (at: number): Id => [digits(at), Buffer.from(digits(at), 'hex')] },
    { type: random.pick(uuids), make: same(dashed) },
    ...[ofNumbers, ofNumbers, ofTexts, ofTexts, ofTexts, ofTexts]
  ])
}

export interface Walked {
  nr: number
  id: string
  owner_id: number | null
  helper_id: number | null
  region: string | null
  cells: Record<string, unknown>
  /** What `order by` says of each column. */
  ranks: Record<string, number>
}

/** Caller 7 is linked to 8, and as staff to 9. */
const links = [{ owner_id: 7, user_id: 8 }]
const staff = [9, 9, null].map((linked_id) => ({ owner_id: 7, linked_id }))

/** Makes the tables of a list, and ranks its records. */
export async function openWalks(t: Test, database: DatabaseName, random: Random, isLarge: boolean | undefined) {
  const db = await openDatabase(t, database)
  const types = await typesOf(db, database)
  const sorted = sortedOf(random, database, types.texts)
  const { type, make } = idsOf(random, database, types)
  const size = isLarge ? random.between(1001, 2600) : random.between(1, 260)
  const ids = new Map<string, unknown>()
  for (let at = 0; ids.size < size; at++) {
    const [shown, cell] = make(at)
    if (shown !== '' && !ids.has(shown)) ids.set(shown, cell)
  }
  const names = ['id', ...Object.keys(sorted)]
  const columns = Object.entries(sorted).map(
    ([name, { type, whenNull }]) => `${name} ${type} ${whenNull === 'error' ? 'not null' : 'null'}`
  )
  await execute(
    db,
    `create table walks (nr integer primary key, id ${type} not null, owner_id bigint, helper_id bigint, region varchar(9), ${columns})`,
    'create table links (owner_id bigint, user_id bigint)',
    'create table staff (owner_id bigint, linked_id bigint)',
    'create table memberships (user_id bigint, org_name varchar(9))',
    'create table users (user_id bigint primary key, first_name text, last_name text, email text, avatar_url text)',
    ...random.some(names.slice(1), 0.4).map((name) => `create index walks_${name} on walks (${name}, id)`)
  )
  const rows = random.shuffled([...ids]).map(([shown, id], nr) => {
    const values = Object.entries(sorted).map(([name, { value }]) => [name, value()])
    const people = { owner_id: random.pick([7, 7, 8, 9, null]), helper_id: random.pick([7, 8, 9, null]) }
    const region = random.pick(['north', 'south', 'east', null])
    return { shown, row: { nr, id, ...people, region, ...Object.fromEntries(values) } }
  })
  const organizations = random.chance(0.3) ? [7, 7, 8, 8, 8] : []
  const memberships = organizations.map((user_id, at) => ({ user_id, org_name: `O${at}` }))
  await insert(db, { walks: rows.map(({ row }) => row), links, staff, memberships })

  const read = type === 'bytea' ? "encode(id, 'hex')" : /^(blob|binary)/.test(type) ? 'lower(hex(id))' : 'id'
  // An expression of MySQL has another type than a TIMESTAMP.
  const isTimestamp = (name: string) => sorted[name]?.type.startsWith('timestamp')
  const computed = random.some(names, random.pick([0, 0, 0.5])).filter((name) => !isTimestamp(name))
  const cellOf = (name: string) => {
    const cell = name === 'id' ? read : name
    return sql.raw(computed.includes(name) ? `coalesce(${cell}, null)` : cell).as(name)
  }
  const source = db.selectFrom('walks').select(['nr', 'owner_id', 'helper_id', 'region']).select(names.map(cellOf))
  const rankOf = (name: string) => sql`dense_rank() over (order by ${sql.ref(`s.${name}`)})`.as(name)
  const ranked = await db.selectFrom(source.as('s')).select('s.nr').select(names.map(rankOf)).execute()
  const ranks = new Map(
    ranked.map(({ nr, ...of }) => [
      Number(nr),
      Object.fromEntries(Object.entries(of).map(([name, rank]) => [name, Number(rank)]))
    ])
  )
  const records = rows.map(
    ({ shown, row }): Walked => ({ ...row, cells: row, id: shown, ranks: ranks.get(row.nr) ?? {} })
  )
  const isComputed = read !== 'id' || computed.length > 0
  const shape = {
    id: type,
    sorted: Object.entries(sorted).map(([name, { type, whenNull }]) => [name, type, whenNull].join(' ')),
    computed
  }
  return {
    db,
    sorted,
    records,
    shape,
    tables: isComputed ? { walks: source } : {},
    hasOrganizations: memberships.length > 0
  }
}
