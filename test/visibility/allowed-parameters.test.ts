import t from 'tap'
import { createListings } from '../../src/index.js'
import type { List } from '../../src/lists/list.js'
import { payments } from '../../src/lists/ready/payments.js'
import { viewOf } from '../../src/visibility/allowed-parameters.js'
import { charts } from '../support/fixtures/charts.js'
import { createShifts, shifts } from '../support/fixtures/shifts.js'
import { onDatabases, openDatabase } from '../support/servers/databases.js'

const viewFor = (list: List, ...roles: string[]) => viewOf(list, roles)

const all = Object.keys(shifts.fields)
const ofDesk = all.filter((name) => name !== 'doctor' && name !== 'note')

t.test('a role has the list without the fields, the parameters and the joins of other roles', async (t) => {
  const partsOf = (role: string) => {
    const { fields, parameters, orders, joins, search } = viewFor(shifts, role)
    return [Object.keys(fields), Object.keys(parameters), Object.keys(orders), joins, search.records]
  }
  const orders = ['', 'state', '-state']
  t.strictSame(partsOf('Lead'), [
    ...[all, ['search', 'state', 'has_note', 'sort'], orders],
    ...[{ p: 'practitioners' }, ['r.note']]
  ])
  t.strictSame(partsOf('Desk'), [ofDesk, ['state', 'sort'], orders, {}, []])
  t.strictSame(partsOf('Admin'), [ofDesk.filter((name) => name !== 'state'), [], [''], {}, []])
})

t.test('roles that get the same fields share a view, and a list without such fields is its own', async (t) => {
  t.equal(viewFor(shifts, 'Admin'), viewFor(shifts, 'nobody'))
  t.not(viewFor(shifts, 'Lead'), viewFor(shifts, 'Desk'))
  t.equal(viewFor(payments, 'Admin'), payments)
})

t.test('a column that a second field shows keeps its parameters', async (t) => {
  const list = shifts.extend({ fields: { remark: { column: 'note', roles: ['Desk'], examples: ['Late.'] } } })
  const { parameters, search } = viewFor(list, 'Desk')
  t.strictSame([Object.keys(parameters), search.records], [['search', 'state', 'has_note', 'sort'], ['r.note']])
})

t.test('what a caller may ask is that of each role, whoever asked before', async (t) => {
  const named = (...roles: string[]) => Object.keys(viewFor(shifts, ...roles).parameters)
  const alone = { Admin: named('Admin'), Desk: named('Desk'), Lead: named('Lead') }
  t.strictSame(alone, { Admin: [], Desk: ['state', 'sort'], Lead: ['search', 'state', 'has_note', 'sort'] })
  t.strictSame(named('Admin', 'Desk'), alone.Desk)
  t.strictSame(named('Desk', 'Lead', 'Admin'), alone.Lead)
  t.strictSame(named('Admin'), alone.Admin)
  t.equal(viewFor(shifts), viewFor(shifts, 'nobody'), 'without a role')
  const closed = { ...shifts, roles: { ...shifts.roles, Desk: 'none' as const } }
  t.strictSame(Object.keys(viewFor(closed, 'Admin', 'Desk').parameters), [], 'a role of the reach none adds nothing')
})

t.test('OpenAPI says that a field is optional and who gets it', async (t) => {
  const { required, properties } = shifts.item
  t.strictSame(required, ['id', 'clinic_id', 'began_at'])
  t.equal(properties.note?.description, 'Only where Lead reaches the record.')
  t.equal(properties.state?.description, 'Of the shift. Only where Lead or Desk reaches the record.')
  const { item } = shifts.extend({
    fields: { seen: { column: 'state', roles: ['Lead', 'Desk', 'Admin'], examples: ['open'] } }
  })
  t.equal(item.properties.seen?.description, 'Only where Lead, Desk or Admin reaches the record.')
  t.strictSame(viewFor(shifts, 'Desk').item.required, ofDesk)
})

t.test('OpenAPI says which roles a parameter is for', async (t) => {
  const texts = (list: List) =>
    Object.fromEntries(Object.entries(list.parameters).map(([name, { description }]) => [name, description]))
  const sorted = 'The column to sort by. With `-`, the greatest value comes first.'
  t.strictSame(texts(shifts), {
    search: 'Reads note only where Lead reaches the record.',
    state: 'Only where Lead or Desk reaches the record.',
    has_note:
      'true: only records with a value of note. false: only records without one. Only where Lead reaches the record.',
    sort: `${sorted} Takes state only where Lead or Desk reaches the record.`
  })
  const seen = shifts.extend({ fields: { remark: { column: 'note', roles: ['Desk'], examples: ['Late.'] } } })
  t.equal(texts(seen).search, 'Reads note only where Lead or Desk reaches the record.', 'two fields show it')
  const open = shifts.extend({ fields: { remark: { column: 'note', examples: ['Late.'] } } })
  t.equal(texts(open).search, undefined, 'everybody sees it')
  const { search, sort, cost_from } = texts(charts)
  t.equal(
    search,
    'Reads note only where Physician reaches the record. Reads users.email only where Clerk reaches the record.'
  )
  t.match(
    sort,
    'Takes cost only where Clerk or Auditor reaches the record. Takes note only where Physician reaches the'
  )
  t.equal(
    cost_from,
    'Only records by their cost. This number or a greater one. Only where Clerk or Auditor reaches the record.'
  )
  t.notMatch(texts(payments).search, 'only where')
})

onDatabases(t, 'a hidden field has no parameter, and the statement does not read it', async (t, name) => {
  const statements: string[] = []
  const db = await openDatabase(t, name, { onQuery: ({ sql }) => statements.push(sql) })
  await createShifts(db, name)
  const { find } = createListings({ db: db as never, resolveRole: () => null, lists: [shifts] })
  const asked = async (role: string, query: object) => {
    statements.length = 0
    const { total, items } = await find('shifts', { caller: { userId: 7, role }, query })
    return [total, ...items.map(Object.keys)]
  }
  t.strictSame(await asked('Lead', { search: 'late', has_note: true }), [1, all])
  t.strictSame(await asked('Desk', { state: 'open' }), [1, ofDesk])
  t.notMatch(statements.filter((statement) => statement.includes('sort key')).join(), /\bnote\b/)
  for (const [role, allowed] of Object.entries({ Desk: 'state, sort, page, limit', Admin: 'page, limit' })) {
    for (const parameter of ['search', 'has_note', 'note', 'anything']) {
      const message = `The query parameter '${parameter}' is unknown. Allowed: ${allowed}.`
      await t.rejects(asked(role, { [parameter]: 'true' }), { statusCode: 400, message })
    }
  }
})
