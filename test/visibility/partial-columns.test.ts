import type { CompiledQuery } from 'kysely'
import t from 'tap'
import { column, createListings, defineList, type ListingCaller } from '../../src/index.js'
import type { List } from '../../src/lists/list.js'
import { viewOf } from '../../src/visibility/allowed-parameters.js'
import { granted, partsOf } from '../../src/visibility/partial-columns.js'
import { grantsFor } from '../../src/visibility/reach-of-role.js'
import { createIncidents, incidents } from '../support/fixtures/incidents.js'
import { execute } from '../support/oracle/check.js'
import { onDatabases, openDatabase } from '../support/servers/databases.js'

const ids = { school: 's1', pupil: '4' }
const grantedTo = (
  roles: string[],
  asked: Partial<Parameters<typeof granted>[1]> = {},
  more?: Parameters<typeof granted>[2],
  list: List = incidents
) => {
  const grants = grantsFor(list, { roles, ids }) ?? []
  return granted(grants, { list: viewOf(list, roles), term: undefined, filters: {}, ...asked }, more)
}

const parent = { column: 'pupil_id', callerId: 'pupil', where: [['state', ['open', 'closed']]] }
const counsellor = { column: 'counsellor_id' }
const head = { where: [['severe', ['true']]] }

t.test('without hidden fields, the grants are the reach', async (t) => {
  t.strictSame(grantedTo(['Counsellor']), { reach: [counsellor] })
})

t.test('fields of the same grants stand together, with the grants that show them', async (t) => {
  t.strictSame(grantedTo(['Parent', 'Counsellor']), {
    reach: [parent, counsellor],
    limited: {},
    partly: [{ grants: [counsellor], fields: ['notes', 'grade'] }]
  })
  t.strictSame(grantedTo(['Parent', 'Counsellor', 'Head']).partly, [
    { grants: [counsellor], fields: ['notes'] },
    { grants: [counsellor, head], fields: ['grade'] }
  ])
  t.strictSame(grantedTo(['Parent']).partly, [], 'what no grant shows, the view does not have')
  const notes = { grants: [counsellor], fields: ['notes'] }
  t.strictSame(grantedTo(['Auditor', 'Nurse']).partly, [notes], 'a grant of every record shows its field everywhere')
})

t.test('a filter finds the records of the grants that show its column, each filter on its own', async (t) => {
  const both = ['Parent', 'Counsellor', 'Head']
  t.strictSame(grantedTo(both, { filters: { has_notes: ['true'] } }).reach, [counsellor])
  t.strictSame(grantedTo(both, { filters: { grade_from: ['1'] } }).reach, [counsellor, head])
  const two = grantedTo(both, { filters: { grade_from: ['1'], notes: ['x'] } })
  t.strictSame(two.reach, [counsellor], 'the fewest records that one of them leaves')
  t.strictSame(two.limited, {}, 'where both stand')
  t.strictSame(grantedTo(both, { filters: { state: ['open'] } }).reach, [parent, counsellor, head])
  t.strictSame(grantedTo(both, { filters: { state: ['open'], notes: ['x'] } }).partly?.length, 2)
})

t.test('a search reads a column in the records of the grants that show it', async (t) => {
  const limited = { 'r.notes': [counsellor] }
  t.match(grantedTo(['Parent', 'Counsellor'], { term: 'n-' }), { reach: [parent, counsellor], limited })
  t.match(grantedTo(['Inspector', 'Counsellor'], { term: 'n-' }), { reach: [{}], limited })
  const list = { ...incidents, search: { ...incidents.search, records: ['r.notes'] as const } }
  const { reach } = grantedTo(['Parent', 'Counsellor'], { term: 'n-' }, {}, list)
  t.strictSame(reach, [counsellor], 'nothing else finds by columns that only one grant shows')
})

t.test('an order by a column that some records lack has two parts', async (t) => {
  const partsFor = (roles: string[], column: string, list: List = incidents) => {
    const grants = grantsFor(list, { roles, ids }) ?? []
    const order = { column, direction: 'desc' } as const
    const question = { list: viewOf(list, roles), order, filters: {}, caller: { userId: '7', ids }, page: 1, limit: 12 }
    return partsOf(grants, { ...question, ...granted(grants, question) })
  }
  t.match(partsFor(['Parent', 'Counsellor'], 'notes'), [
    { reach: [counsellor], limited: {}, part: { column: 'notes', isRest: false }, order: { column: 'notes' } },
    {
      ...{ reach: [parent, counsellor], limited: { 'r.notes': [counsellor] }, part: { column: 'notes', isRest: true } },
      order: { column: 'id', direction: 'desc' }
    }
  ])
  t.equal(partsFor(['Counsellor'], 'notes'), undefined)
  t.equal(partsFor(['Parent', 'Counsellor'], 'id'), undefined)
  t.match(partsFor(['Counsellor'], 'grade'), [{ reach: [counsellor] }, { reach: [counsellor] }], 'it may be null')
})

onDatabases(t, 'a person of several roles gets the union of what each role gives alone', async (t, name) => {
  const statements: string[] = []
  const db = await openDatabase(t, name, { onQuery: ({ sql }) => statements.push(sql) })
  await createIncidents(db, name)
  const { find, each } = createListings({ db: db as never, resolveRole: () => null, lists: [incidents] })
  const caller = (role: ListingCaller['role'], more: object = {}) => ({ userId: 7, role, ids: { ...ids, ...more } })
  const asked = async (role: ListingCaller['role'], query: object = {}, more?: object) => {
    statements.length = 0
    const { total, items } = await find('incidents', { caller: caller(role, more), query })
    t.equal(total, items.length)
    return items.map((item) => [item.id, item.notes ?? '-', item.grade ?? '-'].join(' '))
  }

  t.strictSame(await asked('Parent'), ['2 - -', '1 - -'])
  t.strictSame(await asked('Counsellor'), ['4 n-four 4', '1 n-one 1'])
  t.strictSame(await asked(['Parent', 'Counsellor']), ['4 n-four 4', '2 - -', '1 n-one 1'])
  t.strictSame(await asked(['Head', 'Parent', 'Cook']), ['5 - 5', '2 - -', '1 - -'])
  t.strictSame(await asked(['Inspector', 'Counsellor']), ['5 - -', '4 n-four 4', '3 - -', '2 - -', '1 n-one 1'])

  t.strictSame(await asked(['Parent', 'Counsellor'], { search: 'N-' }), ['4 n-four 4', '1 n-one 1'])
  t.strictSame(await asked(['Parent', 'Counsellor'], { search: 'hall' }), ['2 - -'])
  t.strictSame(await asked(['Parent', 'Counsellor'], { has_notes: true }), ['4 n-four 4', '1 n-one 1'])
  t.strictSame(await asked(['Parent', 'Counsellor'], { notes: 'n-two' }), [])
  t.strictSame(await asked(['Head', 'Counsellor'], { grade_from: 1, has_notes: true }), ['4 n-four 4', '1 n-one 1'])
  t.strictSame(await asked(['Head', 'Parent'], { grade_to: 9 }), ['5 - 5'])
  t.strictSame(await asked(['Parent', 'Counsellor'], { sort: 'id', state: 'open' }), ['1 n-one 1', '2 - -'])

  t.strictSame(await asked('Parent', {}, { pupil: null }), [], 'a caller without the id of the only part')
  t.strictSame(await asked(['Parent', 'Counsellor'], {}, { pupil: undefined }), ['4 n-four 4', '1 n-one 1'])
  t.strictSame(await asked('Counsellor', {}, { school: 'S1' }), ['6 n-six 6'], 'the other school')
  t.strictSame(await asked('Inspector', {}, { school: 's' }), [])

  const items = []
  for await (const item of each('incidents', { caller: caller(['Parent', 'Counsellor']) })) items.push(item)
  t.match(items, [
    { id: '4', notes: 'n-four' },
    { id: '2', notes: undefined },
    { id: '1', notes: 'n-one' }
  ])

  await t.rejects(asked(['Cook']), { statusCode: 403, message: 'No.' })
  await t.rejects(asked('Counsellor', {}, { school: undefined }), {
    statusCode: 500,
    message: 'Internal server error.'
  })
  await t.rejects(asked('Cook', {}, { school: undefined }), { statusCode: 403, message: 'No.' }, 'the role comes first')
  await t.rejects(asked('Parent', { notes: 'n-one' }), {
    statusCode: 400,
    message: "The query parameter 'notes' is unknown. Allowed: search, state, sort, page, limit."
  })
})

onDatabases(t, 'tenants may have the same ids of records', async (t, name) => {
  const db = await openDatabase(t, name)
  await createIncidents(db, name)
  await execute(
    db,
    'create table tasks_of (id bigint, school varchar(9), pupil_id bigint, counsellor_id bigint, place varchar(9), state varchar(9), severe int, notes varchar(9), grade int, happened_at varchar(19))',
    "insert into tasks_of values (1, 's2', 4, 7, 'x', 'open', 0, 'theirs', 1, '2026-03-01 09:30:00'), (1, 's1', 4, 7, 'x', 'open', 0, 'ours', 1, '2026-03-01 09:30:00')"
  )
  const record = { path: '/incident/:id', key: 'incident', messages: { found: 'Found.', notFound: 'None.' } } as const
  const several = {
    ...incidents.definition.roles,
    Both: [{ own: 'counsellor_id' }, { own: 'pupil_id', callerId: 'pupil' }]
  } as const
  const happened_at = column.text({ whenNull: 'error', examples: ['2026'] })
  const texts = defineList({
    ...incidents.definition,
    fields: { ...incidents.definition.fields, place: happened_at },
    sort: ['place'],
    roles: several,
    record
  })
  const { find, get } = createListings({
    db: db as never,
    resolveRole: () => null,
    lists: [texts],
    tables: { incidents: 'tasks_of' } as never
  })
  for (const role of ['Counsellor', 'Both']) {
    const caller = { userId: 7, role: [role, 'Nurse'], ids }
    for (const query of [{}, { sort: 'place' }] as const) {
      const { total, items } = await find('incidents', { caller, query })
      t.match([total, items], [1, [{ id: '1', notes: 'ours' }]], `${role} ${JSON.stringify(query)}`)
    }
    const { total } = await find('incidents', { caller, query: { sort: 'place', limit: 1 } })
    t.equal(total, 1, 'also where a statement counts')
    t.match(await get('incidents', 1, { caller }), { notes: 'ours' })
  }
})

onDatabases(t, 'a cell that no grant shows does not leave the database', async (t, name) => {
  const queries: CompiledQuery[] = []
  const db = await openDatabase(t, name, { onQuery: (query) => queries.push(query) })
  await createIncidents(db, name)
  // `whenNull: 'error'` would fail, but nobody reads the cell.
  await db.updateTable('incidents').set({ notes: null }).where('id', '=', 2).execute()
  const { find } = createListings({ db: db as never, resolveRole: () => null, lists: [incidents] })
  const caller = { userId: 7, role: ['Parent', 'Inspector', 'Counsellor'], ids }
  const { items } = await find('incidents', { caller })
  t.strictSame(
    items.filter((item) => 'notes' in item).map(({ id }) => id),
    ['4', '1']
  )
  const page = queries.find(({ sql }) => sql.includes('sort key')) as CompiledQuery
  const { rows } = await db.executeQuery(page)
  t.equal(rows.length, 5)
  t.match(JSON.stringify(rows), /n-one/)
  t.notMatch(JSON.stringify(rows), /n-three|n-five/)
})
