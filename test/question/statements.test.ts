import { CamelCasePlugin, type KyselyPlugin, RawNode, SqliteQueryCompiler } from 'kysely'
import t from 'tap'
import type { Statement } from '../../src/database/parameter.js'
import type { Session } from '../../src/database/session.js'
import type { Source } from '../../src/database/source.js'
import { assessments } from '../../src/lists/assessments.js'
import type { List } from '../../src/lists/list.js'
import { payments } from '../../src/lists/payments.js'
import type { Fitted } from '../../src/question/fitted.js'
import { cachedStatements, type StatementCache, statementCache } from '../../src/question/statements.js'
import { tenantPlugin, withSchema } from '../support/plugins.js'
import {
  openSession,
  patient,
  questionFor,
  sessionOf,
  sourceOf,
  unfittedFor,
  withoutDatabase
} from '../support/session.js'

const page = { span: { skip: 0, take: 12, backwards: false }, plan: 'plain' } as const
const search = { search: 'a' }

/** The SQL of a dialect, with a key of its own. */
const fittedWith = (session: Session, key: string): Fitted => ({ ...unfittedFor(session), key })

/** The statements of a list, with the keys that the cache gets, and the number of compiled statements. */
function watched(list: List = payments) {
  const cache = statementCache()
  const keys: string[] = []
  let asked = 0
  let compiled = 0
  const watchedCache = {
    get: (key: string) => {
      asked++
      return cache.get(key)
    },
    set: (key: string, statement: Statement) => keys.push(key) && cache.set(key, statement)
  } as StatementCache
  const statementsFor = cachedStatements(watchedCache)
  return {
    keys,
    /** The statements of a request, which is a request for own records if the test says nothing else. */
    of: (session: Session, asking: Parameters<typeof questionFor>[0] = {}, fitted = unfittedFor(session, list)) => {
      const compile: Session['compile'] = (query) => {
        compiled++
        return session.compile(query)
      }
      return statementsFor(
        questionFor({ list, reach: 'own', userId: 'abc', ...asking }),
        { ...session, compile },
        fitted
      )
    },
    /** What the statements have done since the last call. */
    counts() {
      const counts = { asked, compiled, kept: keys.length }
      asked = 0
      compiled = 0
      keys.length = 0
      return counts
    }
  }
}

const open = (source: Source) => openSession(source, patient)
const sourceWith = (...plugins: KyselyPlugin[]) => sourceOf(withoutDatabase('sqlite', plugins) as never, {})

t.test('a statement is compiled once for each shape, and takes its parameters from the request', (t) => {
  const { of, keys, counts } = watched()
  const session = sessionOf(withoutDatabase('sqlite'))
  const first = of(session, { parameters: { processor_status: 'paid', search: 'a_b' } }).page(page)
  const span = { skip: 24, take: 11, backwards: false }
  const parameters = { processor_status: 'open', search: '%' }
  // Equal SQL in a new object.
  const second = of(session, { userId: 'xyz', parameters }, unfittedFor(session)).page({ ...page, span })
  t.strictSame(counts(), { asked: 2, compiled: 1, kept: 1 })
  t.equal(second.sql, first.sql)
  t.not(second.queryId, first.queryId)
  const others = new Map<unknown, unknown>(
    Object.entries({ abc: 'xyz', paid: 'open', '%a!_b%': '%!%%', 12: 11, 0: 24 })
  )
  t.strictSame(
    first.parameters.map((parameter) => others.get(String(parameter))),
    second.parameters
  )
  t.strictSame(new Set(second.parameters), new Set(['xyz', 'open', '%!%%', 11, 24]))
  t.strictSame(second.query, RawNode.createWithSql(second.sql), 'the cached query keeps no nodes')

  const known: string[] = []
  for (const [what, other] of [
    ['another form of the id', () => of(session, { userId: '12', parameters }).page(page)],
    ['another parameter', () => of(session, { parameters: search }).page(page)],
    ['another reach', () => of(session, { reach: 'linked', parameters }).page(page)],
    ['other columns', () => of(session, { parameters }, fittedWith(session, 'other')).page(page)],
    ['the other end', () => of(session, { parameters }).page({ ...page, span: { ...span, backwards: true } })],
    ['another plan', () => of(session, { parameters }).page({ ...page, plan: 'newest' })],
    ['a page with its total', () => of(session, { parameters }).page({ ...page, withTotal: true })],
    ['known users', () => of(session, { parameters }).page({ ...page, matches: { users: [] } })],
    ['known records', () => of(session, { parameters }).page({ ...page, matches: { records: [] } })],
    ['the total', () => of(session, { parameters }).total()],
    ['the total of known users', () => of(session, { parameters }).total({ users: [] })],
    ['the ids of users', () => of(session, { parameters }).idsOf('users', 5)],
    ['more ids of users', () => of(session, { parameters }).idsOf('users', 6)],
    ['the ids of records', () => of(session, { parameters }).idsOf('records', 5)]
  ] as const) {
    keys.length = 0
    const first = other()
    t.equal(keys.length, 1, what)
    known.push(...keys)
    t.equal(other()?.sql, first?.sql)
    t.equal(keys.length, 1, `${what}, once more`)
  }
  t.equal(new Set(known).size, known.length)
  t.end()
})

t.test('instances never share statements, even with the same tables', (t) => {
  const { of, counts } = watched()
  const db = withoutDatabase('sqlite')
  for (const instance of [db, db, withoutDatabase('sqlite'), db.withSchema('main'), db.withSchema('main')]) {
    const source = sourceOf(instance, {})
    for (const _time of [1, 2]) of(open(source)).page(page)
    t.strictSame(counts(), { asked: 2, compiled: 1, kept: 1 })
  }
  t.end()
})

t.test('instances of other dialects never share statements', (t) => {
  class CamelCaseCompiler extends SqliteQueryCompiler {
    protected override sanitizeIdentifier = (name: string) =>
      name.replace(/_(.)/g, (_match, letter: string) => letter.toUpperCase())
  }
  const { of, counts } = watched()
  const select = withoutDatabase('sqlite').selectFrom('payments').selectAll().where('user_id', '>', 0)
  // The same nodes, compiled by each instance.
  for (const tables of [{}, { payments: select, users: select, links: select }]) {
    const texts = [
      withoutDatabase('sqlite'),
      withoutDatabase('postgres'),
      withoutDatabase('mysql'),
      withoutDatabase('sqlite', [], new CamelCaseCompiler())
    ].map((db) => {
      const source = sourceOf(db, tables as never)
      return [1, 2].map(() => of(open(source)).page(page).sql)[1]
    })
    t.match(texts, [/"r"."user_id" .* \?/s, /"r"."user_id" = \$\d/, /`r`.`user_id` = \?/, /"r"."userId" .* \?/s])
    t.strictSame(counts(), { asked: 8, compiled: 4, kept: 4 })
  }
  t.end()
})

t.test('lists never share statements', (t) => {
  const session = sessionOf(withoutDatabase('sqlite'))
  const statementsFor = cachedStatements()
  for (const list of [payments, assessments, payments]) {
    const { total } = statementsFor(questionFor({ list }), session, unfittedFor(session, list))
    t.match(total().sql, new RegExp(`from "${list.name}" as r`))
  }
  t.end()
})

t.test('known ids are part of the SQL, and no other request gets the statement', (t) => {
  const { of, counts } = watched()
  const { page: pageOf, total } = of(sessionOf(withoutDatabase('mysql')), { reach: 'all', parameters: search })
  t.match(total({ users: ['1', '2'], records: [] }).sql, /in \('1', '2'\)/)
  t.match(total({ users: [], records: ['3'] }).sql, /in \('3'\)/)
  t.match(pageOf({ ...page, matches: { users: ['4'] } }).sql, /in \('4'\)/)
  t.strictSame(counts(), { asked: 0, compiled: 3, kept: 0 })
  t.not(total({ users: [] }).sql, total({ records: [] }).sql)
  t.not(total({ users: [] }).sql, total().sql)
  t.end()
})

t.test('a list may search no column of its records', (t) => {
  const { of, counts } = watched(assessments)
  t.equal(of(sessionOf(withoutDatabase('mysql')), { search: 'a' }).idsOf('records', 6), undefined)
  t.strictSame(counts(), { asked: 0, compiled: 0, kept: 0 })
  t.end()
})

t.test('with plugins that make new nodes, every request but the first reuses the statements', (t) => {
  for (const [what, ...plugins] of [
    ['CamelCasePlugin', new CamelCasePlugin()],
    ['WithSchemaPlugin', withSchema(() => 'main')],
    ['a tenant plugin', tenantPlugin(() => 1)],
    ['all of them', new CamelCasePlugin(), withSchema(() => 'main'), tenantPlugin(() => 1)]
  ] as const) {
    const { of, counts } = watched()
    const source = sourceWith(...plugins)
    const texts: string[] = []
    for (let request = 1; request <= 3; request++) {
      const { page: pageOf, total } = of(open(source))
      texts.push(pageOf(page).sql, total().sql)
      t.strictSame(counts(), { asked: 2, compiled: request === 1 ? 2 : 0, kept: request === 1 ? 2 : 0 }, what)
    }
    t.equal(new Set(texts).size, 2)
  }
  t.end()
})

t.test('each schema of a plugin has its own statements, and a plugin may leave tables unchanged', (t) => {
  let schema = ''
  const plugin = withSchema(() => schema)
  const db = withoutDatabase('sqlite', [
    { ...plugin, transformQuery: (args) => (schema ? plugin.transformQuery(args) : args.node) }
  ])
  const select = db.selectFrom('payments').selectAll() as never
  for (const source of [sourceOf(db, {}), sourceOf(db, { payments: select })]) {
    const { of, counts } = watched()
    for (const name of ['one', '', 'two', 'one', '', 'two']) {
      schema = name
      const { sql } = of(open(source)).page(page)
      t.match(sql, name ? new RegExp(`from "${name}"."payments"`) : /from "payments"/)
      t.notMatch(sql, name === 'one' ? /"two"/ : /"one"/)
    }
    t.strictSame(counts(), { asked: 6, compiled: 3, kept: 3 })
  }
  t.end()
})

t.test('each tenant of a plugin has its own statements, with its own parameters', (t) => {
  let tenant: unknown
  const { of, counts } = watched()
  const source = sourceWith(tenantPlugin(() => tenant))
  const parametersFor = (value: unknown) => {
    tenant = value
    return of(open(source)).total().parameters
  }
  const all = [1, 2, '1', 1n, true, null, 'one', 'One', '']
  for (const value of [...all, ...all]) t.strictSame(parametersFor(value), [value, 'abc', 'abc'], String(value))
  t.strictSame(counts(), { asked: 2 * all.length, compiled: all.length, kept: all.length })
  t.end()
})

t.test('a statement is not cached if a parameter of the tables is an object', (t) => {
  const { of, counts } = watched()
  for (const value of [new Date(0), { tenant: 1 }, ['1']]) {
    const source = sourceWith(tenantPlugin(() => value))
    for (const _time of [1, 2]) t.strictSame(of(open(source)).total().parameters, [value, 'abc', 'abc'])
    t.strictSame(counts(), { asked: 0, compiled: 2, kept: 0 })
  }
  const source = sourceWith(tenantPlugin(() => Buffer.from('1')))
  for (const _time of [1, 2]) t.strictSame(of(open(source)).total().parameters[0], Buffer.from('1'))
  t.strictSame(counts(), { asked: 2, compiled: 1, kept: 1 }, 'a buffer is compared by its bytes')
  t.end()
})

t.test('slower SQL has cache keys of its own', (t) => {
  const { of, keys, counts } = watched()
  const session = sessionOf(withoutDatabase('postgres'))
  const usual = unfittedFor(session)
  const forTexts = usual.slower as Fitted
  const slower = forTexts.slower as Fitted
  t.equal(slower.slower, undefined)
  const texts = (fitted: Fitted) => {
    const statements = of(session, { parameters: search }, fitted)
    return [statements.page(page), statements.total(), statements.idsOf('users', 5)].map((each) => each?.sql)
  }
  const before = texts(slower)
  const own = texts(usual)
  texts(forTexts)
  t.equal(new Set(keys).size, 9)
  t.strictSame(counts(), { asked: 9, compiled: 9, kept: 9 })
  t.strictSame(texts(slower), before)
  t.strictSame(texts(usual), own)
  t.strictSame(counts(), { asked: 6, compiled: 0, kept: 0 })
  t.not(own[0], before[0])
  t.end()
})

t.test('batches whose keys have ids of different forms are different statements', (t) => {
  const session = sessionOf(withoutDatabase('mysql'))
  const sqlOf = (statementsFor: ReturnType<typeof cachedStatements>, id: string) => {
    const question = { ...questionFor(), from: { time: '2024-03-01 09:30:00', id } }
    return statementsFor(question, session, unfittedFor(session)).page(page).sql
  }
  const shared = cachedStatements()
  for (const id of ['7', 'é', 'a']) t.equal(sqlOf(shared, id), sqlOf(cachedStatements(), id), id)
  t.end()
})
