import { CamelCasePlugin, RawNode } from 'kysely'
import t from 'tap'
import type { CachedStatement } from '../../../src/database/parameter.js'
import type { Session } from '../../../src/database/session.js'
import type { List } from '../../../src/lists/list.js'
import { assessments } from '../../../src/lists/ready/assessments.js'
import { payments } from '../../../src/lists/ready/payments.js'
import { fittedOf, unknownTraits } from '../../../src/question/fitted/fitted-sql.js'
import { pageOf } from '../../../src/question/sql/page.js'
import { totalOf } from '../../../src/question/sql/records.js'
import { matchesOf } from '../../../src/question/sql/search.js'
import type { Statement } from '../../../src/question/sql/statement.js'
import { compiling, type StatementCache, statementCache } from '../../../src/question/sql/statement-cache.js'
import { tenantPlugin, transforming, withSchema } from '../../support/hosts/plugins.js'
import {
  finder,
  type Opened,
  openSession,
  questionFor,
  sessionOf,
  sourceOf,
  unfittedFor,
  withoutDatabase
} from '../../support/servers/session.js'
import { openWorld } from '../../support/servers/tables.js'

const page = { span: { skip: 0, take: 12, backwards: false } } as const
const search = { search: 'a' }
const max = { maxInlinedIds: 4, maxInlinedLength: 1000 }

type Asking = Parameters<typeof questionFor>[0]

/** The statements of a list, with the keys that the cache gets, and the number of compiled statements. */
function watched(session: Opened, list: List = payments, fitted = unfittedFor(session, list), kept = statementCache()) {
  const keys: string[] = []
  let compiled = 0
  const cache = {
    get: (key: string) => kept.get(key),
    set: (key: string, statement: CachedStatement) => keys.push(key) && kept.set(key, statement)
  } as StatementCache
  /** A statement of a question. The question is of own records if the test says nothing else. */
  const sent = (asking: Asking, statement: Statement<unknown> = pageOf(page)) => {
    const compile: Session['compile'] = (query) => {
      compiled++
      return session.compile(query)
    }
    const question = questionFor({ list, reach: 'own', userId: 'abc', ...asking })
    return compiling(question, fitted, { compile }, cache)(statement)
  }
  const counts = () => {
    const counts = { compiled, kept: keys.length }
    compiled = 0
    keys.length = 0
    return counts
  }
  return { sent, keys, counts }
}

t.test('a statement is compiled once for each shape, and takes its parameters from the request', async (t) => {
  const session = sessionOf(withoutDatabase('sqlite'))
  const { sent, keys, counts } = watched(session)
  const first = sent({ parameters: { processor_status: 'paid', search: 'a_b' } }, pageOf(page))
  const span = { skip: 24, take: 11, backwards: false }
  const parameters = { processor_status: 'open', search: '%' }
  const second = sent({ userId: 'xyz', parameters }, pageOf({ ...page, span }))
  t.strictSame(counts(), { compiled: 1, kept: 1 })
  t.equal(second.sql, first.sql)
  t.not(second.queryId, first.queryId)
  const others = new Map<unknown, unknown>(
    Object.entries({ abc: 'xyz', paid: 'open', '%a!_b%': '%!%%', 12: 11, 0: 24 })
  )
  const renamed = first.parameters.map((parameter) => others.get(String(parameter)))
  t.strictSame(renamed, second.parameters)
  t.strictSame(new Set(second.parameters), new Set(['xyz', 'open', '%!%%', 11, 24]))
  t.strictSame(second.query, RawNode.createWithSql(second.sql), 'the cached query keeps no nodes')

  const known: string[] = []
  for (const [what, asking, ask] of [
    ['another form of the id', { userId: '12', parameters }, pageOf(page)],
    ['another parameter', { parameters: search }, pageOf(page)],
    ['two values', { parameters: { processor_status: ['open', 'paid'] } }, pageOf(page)],
    ['three values', { parameters: { processor_status: ['open', 'paid', 'void'] } }, pageOf(page)],
    ['another reach', { reach: 'linked', parameters }, pageOf(page)],
    ['another own column', { reach: { own: 'processor_status' }, parameters }, pageOf(page)],
    ['another direction', { order: { column: 'created_at', direction: 'asc' } }, pageOf(page)],
    ['another order', { order: { column: 'amount', direction: 'asc' } }, pageOf(page)],
    ['the other end', { parameters }, pageOf({ ...page, span: { ...span, backwards: true } })],
    ['another plan', { parameters }, pageOf({ ...page, plan: 'scan' })],
    ['a page with its total', { parameters }, pageOf({ ...page, windowTotal: true })],
    ['a page with numbers', { parameters }, pageOf({ ...page, beside: { total: true, counts: [] } })],
    ['known users', { parameters }, pageOf({ ...page, matches: { users: [] } })],
    ['known records', { parameters }, pageOf({ ...page, matches: { records: [] } })],
    ['the total', { parameters }, totalOf()],
    ['the total of known users', { parameters }, totalOf({ users: [] })],
    ['the ids of users', { parameters }, matchesOf('users', max)],
    ['more ids of users', { parameters }, matchesOf('users', { ...max, maxInlinedIds: 5 })],
    ['the ids of records', { parameters }, matchesOf('records', max)]
  ] as [string, Asking, Statement<unknown>][]) {
    keys.length = 0
    const first = sent(asking, ask)
    t.equal(keys.length, 1, what)
    known.push(...keys)
    t.equal(sent(asking, ask).sql, first.sql)
    t.equal(keys.length, 1, `${what}, once more`)
  }
  t.equal(new Set(known).size, known.length)
})

t.test('SQL that is fitted to other columns, tables or lists has its own statements in the same cache', async (t) => {
  const cache = statementCache()
  const of = (name: 'sqlite' | 'postgres' | 'mysql', list: List, exactIds: string[] = []) => {
    const session = sessionOf(withoutDatabase(name))
    const usual = fittedOf(list, session.tables, session.dialect, { ...unknownTraits, exactIds })
    return [usual, usual.slower, usual.slower?.slower].flatMap((fitted) =>
      fitted ? watched(session, list, fitted, cache) : []
    )
  }
  const all = [
    ...of('mysql', payments),
    ...of('mysql', payments, ['r.user_id']),
    ...of('postgres', payments),
    ...of('sqlite', payments),
    ...of('sqlite', payments),
    ...of('sqlite', assessments)
  ]
  t.equal(all.length, 12)
  const ask = (each: (typeof all)[number]) => each.sent({ userId: '7', parameters: search }).sql
  const texts: string[] = []
  for (const each of all) {
    texts.push(ask(each))
    t.strictSame(each.counts(), { compiled: 1, kept: 1 })
  }
  for (const [place, each] of all.entries()) {
    t.equal(ask(each), texts[place])
    t.strictSame(each.counts(), { compiled: 0, kept: 0 })
  }
  t.equal(new Set(texts).size, 7, 'some SQL is the same, such as that of two sources with the same tables')
})

t.test('callers with other ids share a statement, and no condition is the one of another', async (t) => {
  const { sent, counts } = watched(sessionOf(withoutDatabase('sqlite')))
  const reach = { own: 'user_id', callerId: 'parent', where: { processor_status: 'paid' } } as const
  const first = sent({ reach, ids: { parent: 'P1' } })
  const second = sent({ reach, ids: { parent: 'P2' } })
  t.equal(second.sql, first.sql)
  t.strictSame(counts(), { compiled: 1, kept: 1 })
  const paidOf = (id: string) => [id, id, 'paid']
  t.strictSame(first.parameters.slice(0, 3), paidOf('P1'))
  t.strictSame(second.parameters.slice(0, 3), paidOf('P2'))
  for (const other of [
    { ...reach, callerId: 'guardian' },
    { ...reach, where: { processor_status: 'open' } },
    { ...reach, where: { processor_status: null } },
    { ...reach, where: { payment_status: 'paid' } },
    { where: reach.where }
  ]) {
    sent({ reach: other, ids: { parent: 'P1', guardian: 'P1' } })
  }
  t.strictSame(counts(), { compiled: 5, kept: 5 })
})

t.test('known ids are part of the SQL, and no other request gets the statement', async (t) => {
  const { sent, counts } = watched(sessionOf(withoutDatabase('mysql')))
  const asking = { reach: 'all', parameters: search } as const
  const total = (matches?: object) => sent(asking, totalOf(matches)).sql
  t.match(total({ users: ['1', '2'], records: [] }), /in \('1', '2'\)/)
  t.match(total({ users: [], records: ['3'] }), /in \('3'\)/)
  t.match(sent(asking, pageOf({ ...page, matches: { users: ['4'] } })).sql, /in \('4'\)/)
  t.strictSame(counts(), { compiled: 3, kept: 0 })
  t.not(total({ users: [] }), total({ records: [] }))
  t.not(total({ users: [] }), total())
})

t.test('batches whose keys have ids of different forms are different statements', async (t) => {
  const session = sessionOf(withoutDatabase('mysql'))
  const fitted = unfittedFor(session)
  const sqlOf = (cache: StatementCache, id: string) => {
    const question = { ...questionFor(), after: { value: '2024-03-01 09:30:00', id } }
    return compiling(question, fitted, session, cache)(pageOf(page)).sql
  }
  const shared = statementCache()
  for (const id of ['7', 'é', 'a']) {
    t.equal(sqlOf(shared, id), sqlOf(statementCache(), id), id)
  }
})

t.test('every request but the first reuses the statements, unless a plugin changes the tables', async (t) => {
  let tenant = 0
  for (const [what, isReused, ...plugins] of [
    ['no plugin', true],
    ['a plugin that changes nothing', true, transforming((node) => node)],
    ['CamelCasePlugin', true, new CamelCasePlugin()],
    ['a schema', true, withSchema(() => 'main')],
    ['all of them', true, new CamelCasePlugin(), withSchema(() => 'main'), tenantPlugin(() => 0)],
    ['another tenant for each request', false, tenantPlugin(() => tenant++)]
  ] as const) {
    const compiled: string[] = []
    const db = await openWorld(t, 'sqlite', { onCompile: (text) => /sort key/.test(text) && compiled.push(text) })
    const named = db.withPlugin(transforming((node) => node))
    const source = sourceOf(plugins.reduce((db, plugin) => db.withPlugin(plugin), named))
    const { find } = finder()
    const question = questionFor({ reach: 'own', userId: '1' })
    const numbers: number[] = []
    for (let request = 0; request < 3; request++) {
      // With CamelCasePlugin, the columns have names that the database lacks.
      await find(question, openSession(source)).catch(() => undefined)
      numbers.push(compiled.length)
    }
    t.strictSame(numbers, isReused ? [1, 1, 1] : [1, 2, 3], what)
  }
})

t.test('the least recently used statements are evicted first', async (t) => {
  const cache = statementCache(3 * 600)
  const statement = { sql: 'x'.repeat(60), parameters: [] }
  for (const key of ['a', 'b', 'c']) cache.set(key, statement)
  t.equal(cache.get('a'), statement)
  cache.set('d', statement)
  const cached = ['a', 'b', 'c', 'd'].map((key) => cache.get(key))
  t.strictSame(cached, [statement, undefined, statement, statement])
  cache.set('large', { sql: 'x'.repeat(2000), parameters: [] })
  t.equal(cache.get('large'), undefined, 'a statement larger than the cache is not cached')
  t.equal(cache.get('a'), statement)
})
