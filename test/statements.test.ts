import { type KyselyPlugin, WithSchemaPlugin } from 'kysely'
import t from 'tap'
import { assessments } from '../src/assessments.js'
import { payments } from '../src/payments.js'
import { sourceOf } from '../src/source.js'
import { type Asking, statementsOf } from '../src/statements.js'
import { openDatabase } from './support/databases.js'

const way = { span: { skip: 0, take: 12, backwards: false }, order: 'free' } as const
const traits = { countingCase: new Set<string>(), plainIds: true, plainRecordIds: true }
const asking = (changes: Partial<Asking> = {}): Asking => ({
  reach: 'own',
  userId: 'abc',
  parameters: {},
  traits,
  ...changes
})

t.test('a statement is built once for each shape, and has the values of each request', async (t) => {
  const source = sourceOf((await openDatabase(t, 'sqlite')) as never, {})
  const statements = statementsOf(payments)
  const page = (changes: Partial<Asking>) => statements(source, source.dialect, asking(changes)).page(way)
  const first = page({ userId: 'abc', parameters: { processor_status: 'paid', search: 'a_b' } })
  const second = page({ userId: 'xyz', parameters: { processor_status: 'open', search: '%' } })
  t.equal(second.query, first.query)
  t.equal(second.sql, first.sql)
  t.not(second.queryId, first.queryId)
  t.strictSame(
    first.parameters.map((parameter) => ({ abc: 'xyz', paid: 'open', '%a!_b%': '%!%%' })[String(parameter)]),
    second.parameters
  )
  t.strictSame(new Set(second.parameters), new Set(['xyz', 'open', '%!%%']))

  for (const [what, other] of [
    ['another form of the id', page({ userId: '12', parameters: { processor_status: 'paid', search: 'a' } })],
    ['another parameter', page({ parameters: { search: 'a' } })],
    ['another reach', page({ reach: 'linked', parameters: { processor_status: 'paid', search: 'a' } })],
    ['other traits', page({ traits: { ...traits }, parameters: { processor_status: 'paid', search: 'a' } })],
    ['another list', statementsOf(assessments)(source, source.dialect, asking()).page(way)],
    [
      'another dialect',
      statements(source, { ...source.dialect }, asking({ parameters: { processor_status: 'paid', search: 'a' } })).page(
        way
      )
    ]
  ] as const) {
    t.not(other.query, first.query, what)
  }
})

t.test('ids that are named, and spans, are a part of the statement', async (t) => {
  const source = sourceOf((await openDatabase(t, 'mysql')) as never, {})
  const { page, total, idsOf } = statementsOf(payments)(
    source,
    source.dialect,
    asking({ reach: 'all', parameters: { search: 'a' } })
  )
  const named = (ids: string[]) => total({ users: ids, records: [] })
  t.match(named(['1', '2']).sql, /in \(1, 2\)/)
  t.match(named(['3']).sql, /in \(3\)/)
  t.equal(total({ users: 'many', records: [] }).query, total({ users: 'many', records: [] }).query)
  t.not(total({ users: 'many', records: [] }).query, total({ users: 'many', records: 'many' }).query)
  t.match(page({ ...way, span: { skip: 24, take: 12, backwards: true } }).sql, /asc limit 12 offset 24/)
  t.match(page(way).sql, /desc limit 12 offset 0/)
  t.match(idsOf('users', 5)?.sql, /limit 5/)
  t.match(idsOf('records', 6)?.sql, /limit 6/)
  const parameters = { search: 'a', processor_status: 'failed' }
  const filtered = statementsOf(payments)(source, source.dialect, asking({ reach: 'all', parameters }))
  t.match(filtered.idsOf('records', 6)?.sql, /where \(`r`\.`payment_intent` like .* and \(`r`\.`processor_status` = /)
  t.notMatch(filtered.idsOf('users', 5)?.sql, /processor_status/)
  const without = statementsOf(assessments)(source, source.dialect, asking({ parameters: { search: 'a' } }))
  t.equal(without.idsOf('records', 6), undefined)
})

t.test('what a plugin of the host’s makes of a relation is asked each time', async (t) => {
  let schema = 'one'
  const tenant: KyselyPlugin = {
    transformQuery: (args) => new WithSchemaPlugin(schema).transformQuery(args),
    transformResult: async ({ result }) => result
  }
  const db = (await openDatabase(t, 'sqlite')).withPlugin(tenant)
  // the plugin may leave a relation as it is for one tenant, and not for another
  const sources = [
    sourceOf(db as never, {}),
    sourceOf(db as never, { payments: db.selectFrom('payments').selectAll() as never })
  ]
  for (const source of sources) {
    const statements = statementsOf(payments)
    const page = () => statements(source, source.dialect, asking()).page(way).sql
    for (const name of ['one', 'two', 'one']) {
      schema = name
      t.match(page(), new RegExp(`from "${name}"."payments"`))
      t.notMatch(page(), name === 'one' ? /"two"/ : /"one"/)
    }
  }
})

t.test('pages far in a list do not fill the memory', async (t) => {
  const source = sourceOf((await openDatabase(t, 'sqlite')) as never, {})
  const statements = statementsOf(payments)
  const page = (skip: number) =>
    statements(source, source.dialect, asking()).page({ ...way, span: { ...way.span, skip } })
  const { query } = page(0)
  for (let skip = 1; skip < 1000; skip++) page(skip)
  t.equal(page(0).query, query)
  page(1000)
  t.not(page(0).query, query)
  t.equal(page(0).query, page(0).query)
})

t.test('values never become SQL', async (t) => {
  const source = sourceOf((await openDatabase(t, 'sqlite')) as never, {})
  const bad = `'"\`\\; drop table payments -- ?`
  const { page } = statementsOf(payments)(
    source,
    source.dialect,
    asking({ userId: bad, parameters: { search: bad, processor_status: bad } })
  )
  t.notMatch(page(way).sql, /drop/)
})
