import t from 'tap'
import { column } from '../../src/lists/column.js'
import { defineList } from '../../src/lists/define-list.js'
import { payments } from '../../src/lists/ready/payments.js'
import { run } from '../support/fixtures/definition-code.js'
import { shifts } from '../support/fixtures/shifts.js'

/** Shows what is undefined, and not what is a function. */
const textOf = (list: object) =>
  JSON.stringify(list, (_name, part) =>
    part === undefined ? 'undefined' : part instanceof RegExp ? part.source : part
  )

t.test('a change of any object of a definition has no effect, also on what extends the list', async (t) => {
  const { definition } = run("sort: ['issued_at']; joined: { users: { team: column.text() } }")
  const given: Record<string, unknown> = structuredClone({ ...definition, columns: {}, joined: {}, fields: {} })
  const columns = { ...Object(definition).columns }
  const users = { ...Object(definition).joined.users }
  const values = ['basic', 'expert']
  const [examples, readers] = [['x'], ['Admin']]
  const level = column.enum(values as ['basic'], { whenNull: 'null' })
  const title = column.text({ roles: readers, examples })
  const fields = { ...definition.fields, title }
  const list = defineList({ ...given, columns: { ...columns, level }, joined: { users }, fields } as never)
  const before = [textOf(list), textOf(Object(list).extend())]
  const change = (part: object) => {
    if (Array.isArray(part)) part.push('changed')
    else Object.assign(part, { changed: 'changed' })
  }
  const parts = (part: unknown): object[] =>
    part instanceof Object ? [part, ...Object.values(part).flatMap(parts)] : []
  for (const part of [...parts(given), columns, users, fields, values, examples, readers]) change(part)
  t.strictSame([textOf(list), textOf(Object(list).extend())], before)
})

t.test('a property that is undefined is left out, of a definition and of an extension', async (t) => {
  const documented = 'description: undefined, roles: undefined'
  const ways = 'several: undefined, range: undefined, present: undefined'
  const own =
    "columns: OWN; owner: ; search: ; filters: ; unshown: ; fields: { certificate_id: column.id({ examples: ['1'] }), issued_at: column.utcTime({ whenNull: 'error', examples: ['2026-03-01T09:30:00Z'] }) }"
  const issuedAt = "columns.issued_at: column.utcTime({ whenNull: 'error'"
  for (const [undefineds, same] of [
    ...['practitioner', 'sort', 'joined', 'otherRoles', 'fields.note', 'columns.note', 'filters.note'].map((name) => [
      `${name}: undefined`,
      ''
    ]),
    ['search: undefined', 'search: '],
    ['filters: undefined', 'filters: '],
    ['filters: ; unshown: undefined', 'filters: ; unshown: '],
    ['owner: undefined; search: ; fields.email: ', 'owner: ; search: ; fields.email: '],
    [own.replace('OWN', 'undefined'), own.replace('OWN', '')],
    ['joined: { users: undefined, practitioners: { note: undefined } }', 'joined: { practitioners: {} }'],
    [`fields.title: column.text({ examples: ['First aid'], whenNull: undefined, ${documented} })`, ''],
    [`${issuedAt}, examples: undefined, ${documented} })`, ''],
    [`fields.email: { column: 'users.email', examples: ['zoe@example.org'], ${documented} }`, ''],
    [
      "search: { columns: ['title', 'users.email'], examples: ['aid'], description: undefined, required: undefined, term: undefined }",
      ''
    ],
    [`filters.level: { examples: ['basic'], column: undefined, description: undefined, ${ways} }`, ''],
    ["filters.issued: { column: 'issued_at', range: true, examples: undefined, description: undefined }", ''],
    ["roles: { Admin: 'all', Coach: undefined }", ''],
    [
      "roles: { Coach: [{ linked: 'coach_id', by: undefined }, { own: 'coach_id', linked: undefined }] }",
      "roles: { Coach: [{ linked: 'coach_id' }, { own: 'coach_id' }] }"
    ],
    ...['columns', 'joined', 'fields', 'filters', 'search', 'sort', 'unshown', 'path', 'key', 'openapi'].map((name) => [
      `extend: { ${name}: undefined }`,
      'extend: {}'
    ]),
    ['extend: { openapi: { name: undefined, summary: undefined }, joined: { users: undefined } }', 'extend: {}'],
    [
      'extend: { fields: { title: undefined }, columns: { level: undefined }, filters: { level: undefined } }',
      'extend: {}'
    ],
    ['extend: { filters: { level: { counted: undefined, several: undefined } } }', 'extend: {}'],
    ['extend: { sort: null, unshown: null }', 'extend: {}'],
    [
      "extend: { search: { columns: ['users.last_name'], examples: undefined }, unshown: ['users.last_name'] }",
      "extend: { search: { columns: ['users.last_name'] }, unshown: ['users.last_name'] }"
    ]
  ] as [string, string][]) {
    t.equal(textOf(run(undefineds)), textOf(run(same)), undefineds)
  }
})

t.test('a condition that is undefined by mistake is not left out, because callers would see more', async (t) => {
  t.throws(
    () => run("roles: { Admin: { own: 'coach_id', where: { level: 'basic', title: undefined } } }"),
    /'title' with undefined/
  )
  t.throws(() => run('otherRoles: { where: { level: undefined } }'), /'level' with undefined/)
  const ofTitle = "where: { title: 'a' }"
  t.throws(() => run(`roles: { Admin: { own: undefined, ${ofTitle} } }`), /an object with own, where/)
  t.throws(() => run(`otherRoles: [{ linked: undefined, ${ofTitle} }]`), /an array with an object with linked, where/)
  t.throws(() => run('within: { coach_id: undefined }'), /'within.coach_id' must be the name/)
  t.strictSame(run("roles: { Admin: { own: 'coach_id', where: undefined } }; within: undefined").within, {})
})

t.test('a later change of a condition or of the tenant has no effect on an extension', async (t) => {
  const [where, within] = [{ state: ['open'] }, { owner_id: 'tenant' }] as [{ state: ['open'] }, { owner_id?: string }]
  const list = defineList({
    ...shifts.definition,
    columns: { ...shifts.definition.columns, owner_id: column.id() },
    roles: { ...shifts.definition.roles, Desk: { where } },
    within: within as { owner_id: string }
  })
  where.state.push('done' as never)
  delete within.owner_id
  const { roles, within: kept } = list.extend({ path: '/v2' })
  t.strictSame([roles.Desk, kept], [{ where: { state: ['open'] } }, { owner_id: 'tenant' }])
})

t.test('a list that is extended twice has what both extensions add', async (t) => {
  const text = column.text({ whenNull: 'error' })
  const examples = ['x']
  const list = payments
    .extend({
      columns: { one: text },
      joined: { users: { title: text } },
      filters: { one: { examples } },
      sort: ['one'],
      unshown: ['one']
    })
    .extend({
      columns: { other: text },
      joined: { users: { team: text } },
      fields: { title: { column: 'users.title', examples }, team: { column: 'users.team', examples } },
      filters: { other: { examples } },
      sort: ['other'],
      unshown: ['other']
    })
  t.strictSame(Object.keys(list.parameters), ['search', 'processor_status', 'one', 'other', 'sort'])
  t.strictSame(Object.keys(list.orders), ['', 'one', '-one', 'other', '-other'])
  t.match(list.fields, { title: { column: 'u.title' }, team: { column: 'u.team' } })
  t.strictSame(list.definition.unshown, ['one', 'other'])
})

t.test('an extension may count a filter that the list has, and add a record and pages after records', async (t) => {
  const list = run("extend: { filters: { level: { counted: true } }, paging: 'number' }")
  t.match(list.filters.level, { operator: '=', counted: ['basic', 'expert'] })
  t.match(list.query.properties, { level: { examples: ['basic'] }, counts: { items: { enum: ['level'] } } })
  t.match(list.page.properties, { counts: { properties: { level: { properties: { basic: {}, expert: {} } } } } })
  const record = {
    path: '/payment/:payment_id',
    key: 'payment',
    messages: { found: 'Found.', notFound: 'No.' }
  } as const
  const after = payments.extend({ path: '/payment/after', paging: 'after', record })
  t.strictSame(Object.keys(after.query.properties), ['search', 'processor_status', 'after', 'limit', 'total'])
  t.strictSame(Object.keys(after.page.properties), ['status', 'message', 'limit', 'next', 'total', 'data'])
  t.strictSame(after.record, record)
  t.equal(payments.record, undefined)
})
