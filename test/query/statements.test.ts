import { type KyselyPlugin, RawNode, WithSchemaPlugin } from 'kysely'
import t from 'tap'
import { sourceOf } from '../../src/database/source.js'
import { assessments } from '../../src/lists/assessments.js'
import { payments } from '../../src/lists/payments.js'
import { type Traits, unknownTraits } from '../../src/query/column-traits.js'
import type { Span } from '../../src/query/paging.js'
import {
  type CachedStatement,
  cachedStatements,
  type StatementCache,
  type StatementsFor,
  statementCache
} from '../../src/query/statement-cache.js'
import { openDatabase } from '../support/databases.js'

/** A cache that records the keys it is given. */
function watchedCache() {
  const cache = statementCache()
  const set: string[] = []
  const watched = {
    get: (key: string) => cache.get(key),
    set: (key: string, statement: CachedStatement) => set.push(key) && cache.set(key, statement)
  } as StatementCache
  return { cache: watched, set }
}

const options = { span: { skip: 0, take: 12, backwards: false }, order: 'free' } as const
const traits: Traits = { ...unknownTraits, plainIds: true, plainRecordIds: true }
type Request = Parameters<StatementsFor>[1]
interface Asking extends Omit<Request, 'caller'> {
  userId: string
  traits: Traits
}
const asking = ({ userId = 'abc', traits: known = traits, ...changes }: Partial<Asking> = {}): [Request, Traits] => [
  { reach: 'own', caller: { userId, role: '' }, parameters: {}, ...changes },
  known
]

t.test('a statement is built once for each shape, and takes its parameters from the request', async (t) => {
  const { cache, set } = watchedCache()
  const source = sourceOf((await openDatabase(t, 'sqlite')) as never, {})
  const statements = cachedStatements(payments, cache)
  const page = (changes: Partial<Asking>, span: Span = options.span) =>
    statements(source, ...asking(changes)).page({ ...options, span })
  const built = page({ userId: 'abc', parameters: { processor_status: 'paid', search: 'a_b' } })
  t.strictSame(set, [], 'the first request of a source caches no statement')
  const first = page({ userId: 'abc', parameters: { processor_status: 'paid', search: 'a_b' } })
  t.equal(set.length, 1)
  const span = { skip: 24, take: 11, backwards: false }
  const second = page({ userId: 'xyz', parameters: { processor_status: 'open', search: '%' } }, span)
  t.equal(set.length, 1)
  t.strictSame({ sql: first.sql, parameters: first.parameters }, { sql: built.sql, parameters: built.parameters })
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

  const parameters = { processor_status: 'paid', search: 'a' }
  for (const [what, other] of [
    ['another form of the id', () => page({ userId: '12', parameters })],
    ['another parameter', () => page({ parameters: { search: 'a' } })],
    ['another reach', () => page({ reach: 'linked', parameters })],
    ['other ids', () => page({ traits: { ...traits, plainIds: false }, parameters })],
    ['other record ids', () => page({ traits: { ...traits, plainRecordIds: false }, parameters })],
    ['foreign tables', () => page({ traits: { ...traits, foreignTables: true }, parameters })],
    ['case-sensitive columns', () => page({ traits: { ...traits, caseSensitive: new Set(['u.email']) }, parameters })],
    [
      'a status column that compares exactly',
      () => page({ traits: { ...traits, exactTexts: new Set(['r.processor_status']) }, parameters })
    ],
    ['the other end', () => page({ parameters }, { ...span, backwards: true })]
  ] as const) {
    const before = set.length
    other()
    t.equal(set.length, before + 1, what)
  }
  const before = set.length
  page({ traits: { ...traits }, parameters })
  t.equal(set.length, before, 'equal traits in a new object reuse the statement')
  statements({ ...source }, ...asking({ parameters })).page(options)
  t.equal(set.length, before, 'a source of one request caches no statement')
  t.equal(new Set(set).size, set.length)
})

t.test('sources that share a cache do not share statements', async (t) => {
  const { cache, set } = watchedCache()
  const [sqlite, postgres] = [await openDatabase(t, 'sqlite'), await openDatabase(t, 'postgres')]
  // The same select node, compiled for two SQL dialects.
  const select = sqlite.selectFrom('payments').selectAll().where('user_id', '>', 0)
  const tables = () => ({ payments: select as never, users: select as never, links: select as never })
  const statements = cachedStatements(payments, cache)
  const texts = [sqlite, postgres].map((db) => {
    const source = sourceOf(db as never, tables)
    for (const _request of [1, 2]) statements(source, ...asking()).page(options)
    return statements(source, ...asking()).page(options).sql
  })
  t.match(texts[0], /\?/)
  t.match(texts[1], /\$1/)
  t.equal(new Set(set).size, 2)
})

t.test('inlined ids are part of the SQL, and limit and offset are parameters', async (t) => {
  const source = sourceOf((await openDatabase(t, 'mysql')) as never, {})
  const { page, total, idsOf } = cachedStatements(payments)(
    source,
    ...asking({ reach: 'all', parameters: { search: 'a' } })
  )
  const inlined = (ids: string[]) => total({ users: ids, records: [] })
  t.match(inlined(['1', '2']).sql, /in \(1, 2\)/)
  t.match(inlined(['3']).sql, /in \(3\)/)
  t.equal(total({ users: 'many', records: [] }).sql, total({ users: 'many', records: [] }).sql)
  t.not(total({ users: 'many', records: [] }).sql, total({ users: 'many', records: 'many' }).sql)
  const last = page({ ...options, span: { skip: 24, take: 10, backwards: true } })
  t.match(last.sql, /asc limit \? offset \?/)
  t.strictSame(last.parameters.slice(-2), [10, 24])
  t.match(page(options).sql, /desc limit \? offset \?/)
  t.strictSame(page(options).parameters.slice(-2), [12, 0])
  t.match(page({ ...options, span: { skip: 24, take: 12, backwards: false } }).sql, /desc limit/, 'from the other end')
  t.not(page(options).sql, page({ ...options, order: 'newest' }).sql, 'in another order')
  t.match(idsOf('users', 5)?.sql, /limit 5/)
  t.match(idsOf('records', 6)?.sql, /limit 6/)
  const parameters = { search: 'a', processor_status: 'failed' }
  const filtered = cachedStatements(payments)(source, ...asking({ reach: 'all', parameters }))
  t.match(filtered.idsOf('records', 6)?.sql, /where \(`r`\.`payment_intent` like .* and \(`r`\.`processor_status` = /)
  t.notMatch(filtered.idsOf('users', 5)?.sql, /processor_status/)
  const without = cachedStatements(assessments)(source, ...asking({ parameters: { search: 'a' } }))
  t.equal(without.idsOf('records', 6), undefined)
})

t.test('a Kysely plugin of the host transforms the tables for each request', async (t) => {
  let schema = 'one'
  const tenant: KyselyPlugin = {
    transformQuery: (args) => new WithSchemaPlugin(schema).transformQuery(args),
    transformResult: async ({ result }) => result
  }
  const db = (await openDatabase(t, 'sqlite')).withPlugin(tenant)
  // The plugin may leave a table unchanged for one tenant only.
  const sources = [
    sourceOf(db as never, {}),
    sourceOf(db as never, { payments: db.selectFrom('payments').selectAll() as never })
  ]
  for (const source of sources) {
    const statements = cachedStatements(payments)
    const page = () => statements(source, ...asking()).page(options).sql
    for (const name of ['one', 'two', 'one']) {
      schema = name
      t.match(page(), new RegExp(`from "${name}"."payments"`))
      t.notMatch(page(), name === 'one' ? /"two"/ : /"one"/)
    }
  }
})

t.test('a statement is not cached if a plugin returns a new node each time', async (t) => {
  const { cache, set } = watchedCache()
  let isTenant = true
  const plugin: KyselyPlugin = {
    transformQuery: (args) => (isTenant ? new WithSchemaPlugin('one').transformQuery(args) : args.node),
    transformResult: async ({ result }) => result
  }
  const db = (await openDatabase(t, 'sqlite')).withPlugin(plugin)
  const source = sourceOf(db as never, {})
  const statements = cachedStatements(payments, cache)
  const page = () => statements(source, ...asking()).page(options).sql
  for (const _request of [1, 2, 3]) t.match(page(), /from "one"."payments"/)
  t.strictSame(set, [])
  isTenant = false
  for (const _request of [1, 2, 3]) t.notMatch(page(), /"one"/)
  t.equal(set.length, 1, 'a statement that the plugin leaves unchanged is cached')
  isTenant = true
  t.match(page(), /from "one"."payments"/)
  isTenant = false
  t.notMatch(page(), /"one"/)
  t.equal(set.length, 1)
})

t.test('a plugin that reuses its nodes for each tenant gets one cached statement per tenant', async (t) => {
  const { cache, set } = watchedCache()
  let schema = 'one'
  const kept = new Map<string, WeakMap<object, ReturnType<KyselyPlugin['transformQuery']>>>()
  const plugin: KyselyPlugin = {
    transformQuery(args) {
      const nodes = kept.get(schema) ?? new WeakMap()
      kept.set(schema, nodes)
      const node = nodes.get(args.node) ?? new WithSchemaPlugin(schema).transformQuery(args)
      nodes.set(args.node, node)
      return node
    },
    transformResult: async ({ result }) => result
  }
  const db = (await openDatabase(t, 'sqlite')).withPlugin(plugin)
  const source = sourceOf(db as never, {})
  const statements = cachedStatements(payments, cache)
  for (const name of ['one', 'two', 'one', 'two', 'one', 'two']) {
    schema = name
    t.match(statements(source, ...asking()).page(options).sql, new RegExp(`from "${name}"."payments"`))
  }
  t.equal(set.length, 2)
})

t.test('a statement is not cached if a plugin changes the tables while it is built', async (t) => {
  const { cache, set } = watchedCache()
  let schema = ''
  let looks = Number.NaN
  const plugin: KyselyPlugin = {
    transformQuery(args) {
      // The plugin is called for six tables when the key is made, and for six when the key is checked.
      if (++looks > 12) schema = 'late'
      return schema === '' ? args.node : new WithSchemaPlugin(schema).transformQuery(args)
    },
    transformResult: async ({ result }) => result
  }
  const db = (await openDatabase(t, 'sqlite')).withPlugin(plugin)
  const source = sourceOf(db as never, {})
  const statements = cachedStatements(payments, cache)
  const page = () => statements(source, ...asking()).page(options).sql
  page()
  looks = 0
  t.match(page(), /"late"/)
  t.strictSame(set, [])
})

t.test('the values of a request never become SQL', async (t) => {
  const source = sourceOf((await openDatabase(t, 'sqlite')) as never, {})
  const bad = `'"\`\\; drop table payments -- ?`
  const { page } = cachedStatements(payments)(
    source,
    ...asking({ userId: bad, parameters: { search: bad, processor_status: bad } })
  )
  t.notMatch(page(options).sql, /drop/)
})
