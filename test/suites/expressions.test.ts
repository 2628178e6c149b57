/**
 * A column is an expression: every kind of expression that a host may select, in every role that a column can play. For
 * each pair, the list answers as the values say, or the start-up check says why not.
 */
import { type RawBuilder, sql } from 'kysely'
import t from 'tap'
import {
  checkDatabase,
  createListings,
  type DatabaseFinding,
  defineOptions,
  type KyselyInstance,
  payments
} from '../../src/index.js'
import { eachItem } from '../../src/question/each.js'
import { insert } from '../support/fixtures/world.js'
import { execute } from '../support/oracle/check.js'
import { until } from '../support/running/until.js'
import { type DatabaseName, type Db, onDatabases, openDatabase } from '../support/servers/databases.js'
import { finder, openSession, questionFor, sourceOf } from '../support/servers/session.js'

/** Texts that differ although a type or a collation equates some of them, by the number of the record. */
const texts = ['paid', 'Paid', 'PAID ', '12', '012', '12abc', 'pa_id', "o'b", 'é']
const numbers = texts.map((_text, place) => place + 1)
const moments = numbers.map((n) => `2024-03-0${(n % 4) + 1} 09:30:00`)

interface Kind {
  select: RawBuilder<unknown>
  /** The text of the cell. */
  text(n: number): string | null
}

const textOf = (n: number) => String(texts[n - 1])
const momentOf = (n: number) => String(moments[n - 1])
const kind = (select: RawBuilder<unknown>, text: Kind['text']): Kind => ({ select, text })

const everywhere: Record<string, Kind> = {
  'a column': kind(sql`x.v`, textOf),
  'a number': kind(sql`x.n`, String),
  'a literal': kind(sql`'paid'`, () => 'paid'),
  'a literal that is no plain text': kind(sql`'é!'`, () => 'é!'),
  null: kind(sql`null`, () => null),
  'a parameter': kind(sql`${'paid'}`, () => 'paid'),
  'coalesce of a null': kind(sql`coalesce(x.nil, 'none')`, () => 'none'),
  'coalesce of a column': kind(sql`coalesce(x.v, 'none')`, textOf),
  'case of literals': kind(sql`case when x.n > 4 then 'high' else 'low' end`, (n) => (n > 4 ? 'high' : 'low')),
  'trim of a literal': kind(sql`trim('  x ')`, () => 'x'),
  'trim of a column': kind(sql`trim(x.v)`, (n) => textOf(n).trim()),
  'a column in upper case': kind(sql`upper(x.u)`, (n) => `U${n}`),
  'a generated column': kind(sql`x.g`, (n) => `g_${n}`),
  'a column of a view': kind(sql`x.w`, (n) => `w_${n}`),
  'a moment': kind(sql`x.at`, momentOf),
  'a time in text': kind(sql`x.at_text`, momentOf)
}

const own: Record<DatabaseName, Record<string, Kind>> = {
  mysql: {
    'concat of a literal that is no plain text and a number': kind(sql`concat('é/', x.n)`, (n) => `é/${n}`),
    'concat of a literal and a number': kind(sql`concat('pi_', x.n)`, (n) => `pi_${n}`),
    'concat of columns': kind(sql`concat(x.v, x.u)`, (n) => `${textOf(n)}u${n}`),
    'concat of two collations': kind(sql`concat(x.u, x.bin)`, (n) => `u${n}b${n}`),
    concat_ws: kind(sql`concat_ws('-', 'pi', x.n)`, (n) => `pi-${n}`),
    'if of literals': kind(sql`if(x.n > 4, 'high', 'low')`, (n) => (n > 4 ? 'high' : 'low')),
    lpad: kind(sql`lpad(x.n, 4, '0')`, (n) => `000${n}`),
    hex: kind(sql`hex(x.u)`, (n) => Buffer.from(`u${n}`).toString('hex').toUpperCase()),
    'cast as char': kind(sql`cast(x.n as char)`, String),
    'convert to a character set': kind(sql`convert(x.v using utf8mb4)`, textOf),
    'cast as a number': kind(sql`cast(x.n as signed)`, String),
    'a decimal with a scale': kind(sql`x.d`, (n) => `${n}.00`),
    date_format: kind(sql`date_format(x.at, '%Y-%m-%d %H:%i:%s')`, momentOf),
    'a latin1 column': kind(sql`x.l1`, textOf),
    'a binary collation': kind(sql`x.bin`, (n) => `b${n}`),
    'char(6)': kind(sql`x.c6`, (n) => textOf(n).trimEnd()),
    'an enum': kind(sql`x.e`, (n) => (n > 4 ? 'high' : 'low')),
    'a JSON path': kind(sql`json_unquote(json_extract(x.doc, '$.v'))`, (n) => `j${n}`),
    'a JSON text': kind(sql`json_extract(x.doc, '$.v')`, (n) => `"j${n}"`),
    'a blob': kind(sql`x.bl`, (n) => `bl${n}`)
  },
  postgres: {
    'concat of a literal and a number': kind(sql`'pi_' || x.n`, (n) => `pi_${n}`),
    'concat of columns': kind(sql`x.v || x.u`, (n) => `${textOf(n)}u${n}`),
    'concat of two collations': kind(sql`x.u || x.bin`, (n) => `u${n}b${n}`),
    concat_ws: kind(sql`concat_ws('-', 'pi', x.n)`, (n) => `pi-${n}`),
    lpad: kind(sql`lpad(x.n::text, 4, '0')`, (n) => `000${n}`),
    hex: kind(sql`to_hex(x.n)`, String),
    'cast as text': kind(sql`x.n::text`, String),
    'cast as a number': kind(sql`x.n::bigint`, String),
    'a decimal with a scale': kind(sql`x.d`, (n) => `${n}.00`),
    to_char: kind(sql`to_char(x.at, 'YYYY-MM-DD HH24:MI:SS')`, momentOf),
    'a column of the collation C': kind(sql`x.bin`, (n) => `b${n}`),
    citext: kind(sql`x.ci`, textOf),
    'char(6)': kind(sql`x.c6`, (n) => textOf(n).trimEnd()),
    'an enum': kind(sql`x.e`, (n) => (n > 4 ? 'high' : 'low')),
    'a domain': kind(sql`x.dom`, textOf),
    'a JSON path': kind(sql`x.doc ->> 'v'`, (n) => `j${n}`),
    'a JSON text': kind(sql`x.doc -> 'v'`, (n) => `"j${n}"`)
  },
  sqlite: {
    'concat of a literal and a number': kind(sql`'pi_' || x.n`, (n) => `pi_${n}`),
    'concat of columns': kind(sql`x.v || x.u`, (n) => `${textOf(n)}u${n}`),
    'iif of literals': kind(sql`iif(x.n > 4, 'high', 'low')`, (n) => (n > 4 ? 'high' : 'low')),
    printf: kind(sql`printf('%04d', x.n)`, (n) => `000${n}`),
    hex: kind(sql`hex(x.u)`, (n) => Buffer.from(`u${n}`).toString('hex').toUpperCase()),
    'cast as text': kind(sql`cast(x.n as text)`, String),
    'cast as a number': kind(sql`cast(x.n as integer)`, String),
    strftime: kind(sql`strftime('%Y-%m-%d %H:%M:%S', x.at)`, momentOf),
    'a column of the collation nocase': kind(sql`x.ci`, textOf),
    'a JSON path': kind(sql`json_extract(x.doc, '$.v')`, (n) => `j${n}`),
    'a text that is stored as a blob': kind(sql`x.bl`, (n) => `bl${n}`),
    'a text that is cast to a blob': kind(sql`cast(x.v as blob)`, textOf)
  }
}

const tables: Record<DatabaseName, string[]> = {
  mysql: [
    `create table t (n int primary key, v varchar(20), u varchar(20) character set utf8mb4 collate utf8mb4_general_ci,
      nil varchar(20), at datetime, at_text varchar(30), d decimal(10, 2), l1 varchar(20) character set latin1,
      bin varchar(20) character set utf8mb4 collate utf8mb4_bin, c6 char(6), e enum('low', 'high'), doc json, bl blob,
      g varchar(20) as (concat('g_', n)) stored) character set utf8mb4`,
    "create view s as select t.*, concat('w_', n) as w from t"
  ],
  postgres: [
    'create extension citext',
    "create type level as enum ('low', 'high')",
    'create domain label as varchar(20)',
    `create table t (n int primary key, v varchar(20), u varchar(20), nil varchar(20), at timestamp, at_text varchar(30),
      d numeric(10, 2), bin varchar(20) collate "C", ci citext, c6 char(6), e level, dom label, doc jsonb,
      g varchar(20) generated always as ('g_' || n) stored)`,
    "create view s as select t.*, 'w_' || n as w from t"
  ],
  sqlite: [
    `create table t (n integer primary key, v text, u text, nil text, at datetime, at_text text, ci text collate nocase,
      doc text, bl text, g text as ('g_' || n) stored)`,
    "create view s as select t.*, 'w_' || n as w from t"
  ]
}

async function openThings(name: DatabaseName, db: Db): Promise<void> {
  await execute(db, ...(tables[name] ?? []))
  for (const n of numbers) {
    const [v, at] = [textOf(n), momentOf(n)]
    const level = n > 4 ? 'high' : 'low'
    const row: Record<string, unknown> = { n, v, u: `u${n}`, at, at_text: at, doc: JSON.stringify({ v: `j${n}` }) }
    if (name !== 'sqlite') Object.assign(row, { d: n, bin: `b${n}`, c6: v, e: level })
    if (name === 'mysql') Object.assign(row, { l1: v, bl: `bl${n}` })
    if (name === 'postgres') Object.assign(row, { ci: v, dom: v })
    if (name === 'sqlite') Object.assign(row, { ci: v, bl: Buffer.from(`bl${n}`) })
    await db.insertInto('t').values(row).execute()
  }
}

/** The role of one column. Its expression takes the place of the usual one. */
const roles = {
  shown: { table: 'payments', column: 'payment_method' },
  searched: { table: 'payments', column: 'payment_intent' },
  'searched in the users': { table: 'users', column: 'email' },
  filtered: { table: 'payments', column: 'processor_status' },
  'ordered by': { table: 'payments', column: 'created_at' },
  id: { table: 'payments', column: 'payment_id' },
  owner: { table: 'payments', column: 'user_id' },
  'owner of links': { table: 'links', column: 'owner_id' },
  'user of links': { table: 'links', column: 'user_id' },
  'joined id': { table: 'users', column: 'user_id' }
} as const
type Role = keyof typeof roles

/** The fields that are compared. */
const fields = ['payment_id', 'user_id', 'payment_method', 'payment_intent', 'processor_status', 'email'] as const
const shown = (item: Record<string, unknown>) => fields.map((field) => item[field] ?? '')

/** A record and a link for each number, with the texts of their cells, and those of the record's user. */
type Row = { n: number } & Record<(typeof fields)[number] | 'created_at' | 'linkOwner' | 'linkUser', string | null>

const list = payments.extend({ filters: { created: { column: 'created_at', range: true } } })
const utf8 = (text: string) => Buffer.from(text)
const contains = (text: string | null, term: string) => (text ?? '').toLowerCase().includes(term.toLowerCase())

onDatabases(t, 'every expression in every role', async (t, name) => {
  const db = await openDatabase(t, name)
  await openThings(name, db)
  const outcomes = { right: 0, told: 0 }
  for (const [what, expression] of Object.entries({ ...everywhere, ...own[name] })) {
    // A table of its own holds the texts of the expression, as ids that other tables refer to.
    await execute(db, 'drop table if exists keys_of', `create table keys_of (n int primary key, k varchar(40))`)
    await insert(db, { keys_of: numbers.map((n) => ({ n, k: expression.text(n) })) })
    for (const role of Object.keys(roles) as Role[]) {
      const outcome = await outcomeOf(db, expression, role)
      if (outcome === 'right' || outcome === 'told') outcomes[outcome]++
      else t.fail(`${what}, ${role}: ${outcome}`)
    }
  }
  t.ok(outcomes.right > 0, `right and told: ${JSON.stringify(outcomes)}`)
})

/** `right`: the list answers as the values say. `told`: the start-up check says why not. Anything else is a problem. */
async function outcomeOf(db: Db, expression: Kind, role: Role): Promise<string> {
  const { table, column } = roles[role]
  const isOfIds = /^(owner|user|joined)/.test(role)
  const key = sql`k.k`
  const firsts = numbers.filter(
    (n) => numbers.findIndex((other) => expression.text(other) === expression.text(n)) === n - 1
  )
  const id = isOfIds ? key : sql`x.n`
  const other = isOfIds ? sql`o.k` : sql`o.n`
  const before = (n: number) => (n === 1 ? numbers.length : n - 1)
  const [text, at, one] = [sql`x.u`, sql`x.at`, sql`1`]
  const usual: Record<string, Record<string, RawBuilder<unknown>>> = {
    payments: {
      ...{ payment_id: sql`x.n`, user_id: id, amount: one, quantity: one, paid_at: at, created_at: at },
      ...{ payment_intent: text, payment_method: text, payment_status: text, processor_status: text }
    },
    users: { user_id: id, first_name: text, last_name: text, email: text, avatar_url: text },
    // Each user is linked to the one before.
    links: { owner_id: role === 'user of links' ? other : id, user_id: role === 'user of links' ? id : other }
  }
  const tablesOf = Object.fromEntries(
    Object.entries(usual).map(([of, columns]) => {
      const chosen = of === table ? { ...columns, [column]: expression.select } : columns
      const all = db
        .selectFrom('s as x')
        .innerJoin('keys_of as k', 'k.n', 'x.n')
        .innerJoin('keys_of as o', (join) =>
          join.on(sql<boolean>`o.n = case x.n when 1 then ${sql.lit(numbers.length)} else x.n - 1 end`)
        )
      // If the expression gives several users the same id, the table keeps only the first of them.
      const from = isOfIds && of === 'users' && role !== 'joined id' ? all.where('x.n', 'in', firsts) : all
      return [of, from.select(Object.entries(chosen).map(([alias, value]) => value.as(alias)))]
    })
  )
  const tables = {
    ...tablesOf,
    memberships: db.selectFrom('s as x').select([sql`x.u`.as('user_id'), 'x.u as org_name'])
  }
  const options = defineOptions({
    db: db as unknown as KyselyInstance,
    tables: tables as never,
    lists: [list],
    resolveRole: () => null,
    checkOnReady: 'off',
    roles: { payments: { Linked: 'linked' } }
  })
  let findings: DatabaseFinding[] = []
  // On a busy machine, a statement of the check can take too long.
  await until(async () => {
    findings = await checkDatabase(options as never)
    return !findings.some(({ text }) => text.includes('it took longer than'))
  })
  const isTold = findings.some(
    ({ level, remedy, text }) =>
      level === 'error' || remedy === 'data' || / several (rows|times)|may match nothing/.test(text)
  )

  const emailOf = (n: number) => (role === 'searched in the users' ? expression.text(n) : `u${n}`)
  const rows = numbers.map((n): Row => {
    const value = (of: Role, otherwise: string | null) => (of === role ? expression.text(n) : otherwise)
    const textOfId = (n: number) => (isOfIds ? expression.text(n) : String(n))
    const [idOf, idBefore] = [textOfId(n), textOfId(before(n))]
    const user_id = value('owner', idOf)
    const userOf = numbers.find((n) => (role === 'joined id' ? expression.text(n) : textOfId(n)) === user_id)
    return {
      ...{ n, payment_id: value('id', String(n)), user_id, created_at: value('ordered by', momentOf(n)) },
      payment_intent: value('searched', `u${n}`),
      payment_method: value('shown', `u${n}`),
      processor_status: value('filtered', `u${n}`),
      email: user_id === null || userOf === undefined ? '' : emailOf(userOf),
      linkOwner: value('owner of links', role === 'user of links' ? idBefore : idOf),
      linkUser: value('user of links', role === 'user of links' ? idOf : idBefore)
    }
  })
  const { find } = createListings(options)
  const source = sourceOf(db, tables, [list])
  const { findBatch } = finder()
  // So that a few records are several batches.
  const each: Each = () =>
    eachItem(questionFor({ list }), (batch) => findBatch(batch, openSession(source)), [], 4) as never
  try {
    await compare(role, rows, expression, find as never, each)
    // `each` would lose records whose ids are BLOBs, though a page shows them.
    const stops = findings
      .map(({ level, text }) => (level === 'error' && !text.includes('no text equals') ? text : ''))
      .filter(Boolean)
    if (stops.length > 0) return `stopped without a reason: ${stops}`
    return 'right'
  } catch (error) {
    if (isTold) return 'told'
    return `${(error as Error).message} The check says: ${JSON.stringify(findings.map(({ text }) => text))}`
  }
}

type Found = { total: number; items: Record<string, unknown>[] }
type Find = (list: string, call: object) => Promise<Found>
type Each = () => AsyncIterable<Record<string, unknown>>

async function compare(role: Role, rows: Row[], expression: Kind, find: Find, each: Each) {
  const admin = { userId: 'nobody', role: 'Admin' }
  const user = { userId: '3', role: 'User' }
  /** Databases sort ids that are texts in different ways, so such ids do not decide between records of one time. */
  const sorted = (chosen: Row[]) =>
    [...chosen].sort(
      (a, b) =>
        Buffer.compare(utf8(b.created_at ?? ''), utf8(a.created_at ?? '')) ||
        (role === 'id' ? 0 : Number(b.payment_id) - Number(a.payment_id))
    )
  const inAnyOrder = (shown: unknown[]) => (role === 'id' ? shown.map(String).sort() : shown.map(String))
  const ask = async (what: string, caller: object, query: object, chosen: Row[]) => {
    const { total, items } = await find('payments', { caller, query: { limit: 100, ...query } }).catch((error) => {
      throw new Error(`${what}: ${error.reason ?? error.message} ${JSON.stringify(error.facts)}`)
    })
    const [got, wanted] = [items.map(shown), sorted(chosen).map(shown)].map(inAnyOrder)
    if (total !== chosen.length || String(got) !== String(wanted)) {
      throw new Error(
        `${what}: ${total} ${JSON.stringify(got)} in place of ${chosen.length} ${JSON.stringify(wanted)}.`
      )
    }
  }
  const isUser = ({ user_id }: Row, ids: readonly (string | null)[]) => user_id !== null && ids.includes(user_id)

  await ask('all', admin, {}, rows)
  const all: unknown[] = []
  try {
    for await (const item of each()) all.push(shown(item))
  } catch (error) {
    throw new Error(`each: ${Object(error).message} ${JSON.stringify(Object(error).facts)}`)
  }
  if (String(inAnyOrder(all)) !== String(inAnyOrder(sorted(rows).map(shown)))) throw new Error(`each: ${all}`)

  const values = [...new Set(numbers.map((n) => expression.text(n)))].filter((text) => text !== null)
  const odd = [
    ...values.slice(0, 6),
    ...values.slice(-2),
    ...values.slice(0, 2).flatMap((text) => [`${text} `, text.toUpperCase()]),
    ...['漢', "'", 'é']
  ]
  if (role === 'shown') return
  if (role === 'filtered') {
    for (const status of new Set(odd)) {
      // An empty value filters nothing.
      const chosen = rows.filter((row) => status === '' || row.processor_status === status)
      await ask(`filter '${status}'`, admin, { processor_status: status }, chosen)
      const own = chosen.filter(({ n }) => n === 3)
      await ask(`filter '${status}' of a user`, user, { processor_status: status }, own)
    }
  } else if (role === 'searched' || role === 'searched in the users') {
    // In many collations, `é` is equal to `e`.
    const isClear = (term: string) => term === '' || !/[eé]/i.test(term) || !values.some((text) => /[eé]/i.test(text))
    for (const term of new Set([...odd, 'PI_', '!', '%', '"'].filter(isClear))) {
      const chosen = rows.filter((row) => contains(row.payment_intent, term) || contains(row.email, term))
      await ask(`search '${term}'`, admin, { search: term }, chosen)
      await ask(`search '${term}', page 2`, admin, { search: term, limit: 2, page: 2 }, []).catch((error) => {
        if (!String(error.message).includes(`: ${chosen.length} [`)) throw error
      })
      const own = chosen.filter(({ n }) => n === 3)
      await ask(`search '${term}' of a user`, user, { search: term }, own)
    }
  } else if (role === 'ordered by') {
    for (const [from, to] of [
      ['2024-03-02T09:30:00', '2024-03-04T09:30:00'],
      ['2024-03-02', '2024-03-02T09:30:01']
    ] as const) {
      const isIn = ({ created_at }: Row) => {
        const time = String(created_at).replace(' ', 'T')
        return time >= from && time < to
      }
      await ask(`${from} to ${to}`, admin, { created_from: from, created_to: to }, rows.filter(isIn))
    }
  } else {
    for (const userId of new Set(role === 'id' ? ['3'] : odd.filter(Boolean))) {
      const own = rows.filter((row) => isUser(row, [userId]))
      await ask(`own of '${userId}'`, { userId, role: 'User' }, {}, own)
      const linked = rows.filter(({ linkOwner }) => linkOwner === userId).map(({ linkUser }) => linkUser)
      const seen = rows.filter((row) => isUser(row, [userId, ...linked]))
      await ask(`linked of '${userId}'`, { userId, role: 'Linked' }, {}, seen)
    }
    const found = rows.filter((row) => [row.email, row.payment_intent].includes('u3'))
    await ask('search of an email', admin, { search: 'u3' }, found)
  }
}
