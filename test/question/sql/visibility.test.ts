/** The rights of a record: where a column stands for a caller of several roles (contract 137 to 140). */
import t from 'tap'
import { createListings, defineList } from '../../../src/index.js'
import { askCharts, charts, createCharts } from '../../support/fixtures/charts.js'
import { execute } from '../../support/oracle/check.js'
import { onDatabases, onServers, openDatabase } from '../../support/servers/databases.js'

const both = ['Physician', 'Clerk']

onDatabases(t, 'each parameter goes by what stands in the record, whichever role shows it', async (t, name) => {
  const db = await openDatabase(t, name)
  await createCharts(db, name)
  const { page, total } = askCharts(db)
  t.equal(await page(both), '5 4 3 2 1')
  // The physician shows the note of 1 and the clerk its cost.
  t.equal(await page(both, { search: 'hiv', cost_from: 5 }), '1')
  t.equal(await page(both, { has_note: true, cost_from: 1 }), '1')
  t.equal(await page(both, { has_note: false, cost_from: 1 }), '', 'chart 3 has no cost')
  t.equal(await page(both, { has_note: false }), '3', 'the empty note of 3, and not the hidden ones of 4 and 5')
  t.equal(await page(both, { cost_to: 9 }), '5 4 1', 'the cost of 2 stands for no role')
  t.equal(await page([...both, 'Auditor'], { cost_to: 9 }), '8 5 4 2 1', 'a second field shows the cost of 2')
  t.equal(await page([...both, 'Auditor'], { cost_to: 9, has_note: true }), '2 1')
  t.equal(await page(['Head', 'Physician', 'Clerk'], { cost_to: 9, has_note: true, search: 'north' }), '1')
  t.equal(await page(['Head', 'Physician', 'Clerk'], { level: 'mid', cost_to: 9 }), '4')
  for (const query of [{ cost_to: 9 }, { search: 'hiv', cost_from: 5 }, { has_note: true }]) {
    for (const role of [both, [...both, 'Auditor'], ['Head', 'Clerk', 'Physician']]) {
      t.equal(await total(role, query), (await page(role, query)).split(' ').length)
    }
  }
})

onDatabases(t, 'a search does not read a column of the users where it is hidden', async (t, name) => {
  const db = await openDatabase(t, name)
  await createCharts(db, name)
  const { page } = askCharts(db)
  t.equal(await page('Clerk', { search: 'nine@x' }), '4')
  t.equal(await page(both, { search: 'nine@x' }), '4', 'chart 2 of the physician is of the same patient')
  t.equal(await page(['Head', 'Clerk'], { search: 'nine@x' }), '4')
  t.equal(await page(['Head', 'Clerk'], { search: 'NORTH' }), '8 4 1', 'a column that everybody sees')
  t.equal(await page(['Head', 'Physician', 'Clerk'], { search: 'NORTH' }), '8 4 1', 'beside one that only some see')
  t.equal(await page(both, { search: 'hiv' }), '1', 'the note of 4 is hidden')
  t.equal(await page('Head', { search: 'hiv' }), '', 'nobody else reads notes')
})

onDatabases(t, 'a condition that a column is empty gives the records without a value', async (t, name) => {
  const db = await openDatabase(t, name)
  await createCharts(db, name)
  const { page } = askCharts(db)
  t.equal(await page('Auditor'), '8 5 2')
  t.equal(await page('Auditor', { cost_from: 7 }), '5 2')
  t.equal(await page(['Auditor', 'Cook']), '8 5 2', 'a role of the reach none adds nothing')
})

onDatabases(t, 'a condition may ask for one of some values, or none', async (t, name) => {
  const db = await openDatabase(t, name)
  await createCharts(db, name)
  const roles = { ...charts.definition.roles, Auditor: { where: { region: ['south', null] } } } as const
  const { page, total } = askCharts(db, defineList({ ...charts.definition, roles }) as never as typeof charts)
  t.equal(await page('Auditor'), '8 5 3 2 1')
  t.equal(await total(['Auditor', 'Clerk']), 6)
})

onServers(t, 'a cell that the caller does not see is no error, whatever compares it', async (t, name) => {
  const db = await openDatabase(t, name)
  await createCharts(db, name)
  // A number in a column of texts.
  await execute(
    db,
    `alter table charts ${name === 'postgres' ? 'alter column cost type varchar(20)' : 'modify cost varchar(20)'}`,
    "update charts set cost = 'abc' where id in (2, 6)",
    "update charts set cost = '7.00' where id = 5",
    "update charts set cost = '1e99999' where id = 7",
    'create table wards (owner_id bigint, linked_id bigint)',
    'insert into wards values (7, 9)'
  )
  const { Clerk: _clerk, ...roles } = charts.definition.roles
  const linked = { ...roles, Clerk: { linked: 'clerk_id', by: 'wards' } } as const
  const { page, total } = askCharts(db, defineList({ ...charts.definition, roles: linked }) as never as typeof charts)
  for (const role of ['Clerk', ['Clerk', 'Physician']]) {
    t.equal(await page(role, { cost_from: 3 }), '5 1')
    t.equal(await page(role, { cost_to: 4 }), '4')
    t.equal(await total(role, { cost_from: 3 }), 2)
  }
})

onDatabases(t, 'a parameter follows from the roles, and not from the ids', async (t, name) => {
  const db = await openDatabase(t, name)
  await createCharts(db, name)
  const { page } = askCharts(db)
  for (const query of [{}, { search: 'x' }, { cost_from: 1 }, { sort: 'cost' }, { sort: '-cost', search: 'n' }]) {
    t.equal(await page('Clerk', query, { clerk: null }), '', JSON.stringify(query))
    t.equal(await page(['Clerk', 'Cook'], query, {}), '')
  }
  t.equal(await page(both, { cost_from: 1 }, {}), '')
  t.equal(await page(both, { sort: 'cost' }, {}), '1 2 3', 'no cost stands, so the ids decide')
  t.equal(await page(both, { sort: '-cost' }, {}), '3 2 1')
  await t.rejects(page('Physician', { cost_from: 1 }), {
    statusCode: 400,
    message: "The query parameter 'cost_from' is unknown. Allowed: search, has_note, level, sort, page, limit."
  })
  // What one caller may ask does not depend on who asked before.
  for (const role of ['Physician', 'Clerk', both, 'Head', 'Physician']) {
    const allowed = { cost: /Clerk/.test(String(role)), note: /Physician/.test(String(role)) }
    for (const [sort, isAllowed] of Object.entries(allowed)) {
      const asked = page(role, { sort })
      if (isAllowed) await t.resolves(asked, `${role} by ${sort}`)
      else await t.rejects(asked, { statusCode: 400, message: /'sort'/ }, `${role} by ${sort}`)
    }
  }
})

onDatabases(t, 'nobody finds by a count, a record or an order what does not stand', async (t, name) => {
  const db = await openDatabase(t, name)
  await createCharts(db, name)
  const filters = { has_note: { counted: true }, level: { counted: true } } as const
  const list = charts.extend({ filters, path: '/counted', openapi: { operationId: 'countCharts' } })
  const { find, get } = createListings({ db: db as never, resolveRole: () => null, lists: [list] })
  const { callerOf } = askCharts(db)
  const countsFor = async (role: string[], query: object) => {
    const { counts } = await find('charts', {
      caller: callerOf(role),
      query: { ...query, counts: ['has_note', 'level'] }
    })
    return counts
  }
  const noted = (yes: number, no: number) => ({ true: yes, false: no })
  const levels = (low: number, mid: number, high: number) => ({ low, mid, high })
  t.strictSame(await countsFor(both, {}), { has_note: noted(2, 1), level: levels(1, 1, 1) })
  t.strictSame(await countsFor(both, { cost_from: 1 }), { has_note: noted(1, 0), level: levels(1, 1, 0) })
  t.strictSame(await countsFor(['Head', ...both], { cost_to: 5, level: 'mid' }), {
    has_note: noted(0, 0),
    level: levels(1, 1, 0)
  })
  t.match(await get('charts', 2, { caller: callerOf(both) }), { id: '2', note: 'flu', cost: undefined })
  t.match(await get('charts', 1, { caller: callerOf(both) }), { note: 'hiv', cost: 5, email: 'one@x' })
})
