/** What `defineList` says of mistakes, and the properties of a correct list. */
import t from 'tap'
import { assessments } from '../../src/lists/assessments.js'
import { column } from '../../src/lists/columns.js'
import { defineList } from '../../src/lists/define-list.js'
import type { Field } from '../../src/lists/list.js'
import { payments } from '../../src/lists/payments.js'
import { definitionCode } from '../support/definition-code.js'

const columns = 'certificate_id, title, holder_id, coach_id, level, score, expires_at, issued_at'
const searchable = `${columns}, users.first_name, users.last_name, users.email, users.avatar_url`
const shown = `${searchable}, practitioners.first_name, practitioners.last_name, memberships.org_name`
const wrongName =
  "'name' must be a word of letters, digits, '_' and '-', and none of users, practitioners, memberships, links, and is a string"
const aWord = "must be a word of letters, digits, '_' and '-', and no name that every object has"
const inOpenApi = "must be a word of letters, digits, '.', '_' and '-', and is"
const differentTexts =
  'needs texts that are not empty, have no control characters and differ in more than case and accents'
const neverNull = "must never be null: give it whenNull: 'error'"
const anOrder =
  "'order' must be the column that sorts the list, such as 'issued_at', or '-issued_at' for the newest first, and is"
const oneOfFilters = "can have only one of 'several', 'range' and 'present'"
const aReach =
  'must be own, linked, all, none, { own: an id column }, { linked: an id column, by: a table of links } or an array of such objects, and is'
const ids = 'which is no id column'
const noTable = 'which cannot be the name of a table of links'
const idColumns = 'certificate_id, holder_id, coach_id'
const fieldOfId = "'fields' needs the column of the id, 'certificate_id: column.id({ examples })'"

/** The changes of the right definition, as `definitionCode` takes them, and the message without the name of the list. */
const mistakes: Record<string, string> = {
  "name: 'my certificates'": wrongName,
  "name: 'users'": wrongName,
  "path: 'certificate/list'":
    "'path' must be a text that begins with '/', and has no space, '?', ';', '#' or '%', and is a string",
  "key: 'total'": "'key' must be a text, and none of status, message, page, limit, total, and is a string",
  'openapi.operationId: ': `'openapi.operationId' ${inOpenApi} undefined`,
  "openapi.name: 'My Certificate'": `'openapi.name' ${inOpenApi} a string`,
  'messages: ': "'messages.found' must be a text, and is undefined",
  'filter: {}': "the definition has no property 'filter' (did you mean 'filters'?)",

  "columns.score: 'decimal'": "'columns.score' must be made by 'column', and is a string",
  "columns.level: column.enum(['basic', 'basic'])": `column 'level' ${differentTexts}`,
  "columns.level: column.enum(['basic', 'Basic'])": `column 'level' ${differentTexts}`,
  "columns.level: column.enum(['basic', 'ex\\npert'])": `column 'level' ${differentTexts}`,
  "columns.'a as b': column.text()": `the name 'a as b' in 'columns' ${aWord}`,
  'joined: { users: { state: column.enum([]) } }': `column 'state' ${differentTexts}`,
  'joined: { users: { email: column.text() } }': "the table 'users' has the column 'email' already",
  'joined: { links: { note: column.text() } }': "'joined' has no property 'links'",

  "id: 'id'": `'id' has no column 'id'; there are ${columns}`,
  "fields.certificate_id: column.id({ whenNull: 'null', examples: ['81'] })": `the column 'certificate_id' of 'id' ${neverNull}`,
  "owner: 'score'": "'owner' needs a column of the kind id, and 'score' is of the kind decimal",
  "practitioner: 'title'": "'practitioner' needs a column of the kind id, and 'title' is of the kind text",

  "order: '-title'": "'order' needs a column of the kind time or date, and 'title' is of the kind text",
  "order: 'title'": "'order' needs a column of the kind time or date, and 'title' is of the kind text",
  "order: '-expires_at'": `the column 'expires_at' of 'order' ${neverNull}`,
  "order: 'issued'": `'order' has no column 'issued'; there are ${columns}`,
  "order: '--issued_at'": `'order' has no column '-issued_at' (did you mean 'issued_at'?); there are ${columns}`,
  "order: '-'": `'order' has no column ''; there are ${columns}`,
  "order: { column: 'issued_at', direction: 'desc' }": `${anOrder} an object with column, direction`,
  'order: ': `${anOrder} undefined`,
  "sort: 'score'": "'sort' must be an array of columns, and is a string",
  "sort: ['title']": `the column 'title' of 'sort' ${neverNull}`,
  "sort: ['users.email']": `'sort' has no column 'users.email'; there are ${columns}`,
  "sort: ['score', 'score']": "'sort' names the column 'score' twice",
  "sort: ['done']; columns.done: column.boolean()":
    "'sort' needs a column of the kind text or enum or id or time or date or decimal or integer, and 'done' is of the kind boolean",

  "fields.level: column.text({ examples: ['basic'] })": "the list has the column 'level' already",
  "fields.'users.email': column.text({ examples: ['x'] })": `the name 'users.email' in 'fields' ${aWord}`,
  "fields.constructor: { column: 'title', examples: ['x'] }": `the name 'constructor' in 'fields' ${aWord}`,
  "fields.name: { column: 'title', examples: ['x'], descripton: 'x' }":
    "'fields.name' has no property 'descripton' (did you mean 'description'?)",
  "fields.name: { column: 5, examples: ['x'] }": `field 'name' has no column '5'; there are ${shown}`,
  "fields.name: { column: 'titel', examples: ['x'] }": `field 'name' has no column 'titel'; there are ${shown}`,
  "fields.name: { examples: ['x'] }": "field 'name' needs 'column', or is itself a column, such as column.text()",
  "fields.owner: { column: 'links.owner_id', examples: ['1'] }": `field 'owner' has no column 'links.owner_id'; there are ${shown}`,
  "fields.holder: { column: 'users.user_id', examples: ['1'] }": `field 'holder' has no column 'users.user_id'; there are ${shown}`,
  "fields.coach: { column: 'practitioners.last_name', examples: ['Nguyen'] }":
    "field 'coach' needs the property 'practitioner', the column with the id of the practitioner",
  'fields.certificate_id: ; columns.certificate_id: column.id()': fieldOfId,
  "fields.certificate_id: { column: 'holder_id', examples: ['81'] }; columns.certificate_id: column.id()": fieldOfId,
  "fields.coach: { column: 'coach_id' }": "field 'coach' needs 'examples', an array",
  "fields.points: { column: 'score', examples: ['87.5'] }": `the example "87.5" does not fit field 'points', whose schema is {"type":"number"}`,
  "fields.issued: { column: 'issued_at', examples: ['2024-03-01 09:30:00'] }": `the example "2024-03-01 09:30:00" does not fit field 'issued', whose schema is {"type":"string"} and the form ^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\dZ$`,

  "search: { examples: ['x'] }": "'search.columns' must be an array of at least one text, and is undefined",
  "search: { columns: [], examples: ['x'] }": "'search.columns' must be an array of at least one text, and is an array",
  "search: { columns: ['title'], term: 'lower', examples: ['x'] }":
    "'search.term' must be a function of a text, and is a string",
  "search: { columns: ['title'], requierd: true, examples: ['x'] }":
    "'search' has no property 'requierd' (did you mean 'required'?)",
  "search: { columns: ['users.mail'], examples: ['x'] }": `'search' has no column 'users.mail' (did you mean 'users.email'?); there are ${searchable}`,
  "search: { columns: ['practitioners.last_name'], examples: ['x'] }": `'search' has no column 'practitioners.last_name'; there are ${searchable}`,
  "search: { columns: ['score'], examples: ['x'] }":
    "'search' needs a column of the kind text, and 'score' is of the kind decimal",

  "filters.limit: { column: 'title', examples: ['x'] }": "the parameter 'limit' is taken",
  "filters.sort: { column: 'title', examples: ['x'] }": "the parameter 'sort' is taken",
  "filters.issued_to: { column: 'title', examples: ['x'] }": "the parameter 'issued_to' is taken",
  "filters.title: { several: true, present: true, examples: ['x'] }": `filter 'title' ${oneOfFilters}`,
  "filters.issued: { column: 'issued_at', range: true, several: true }": `filter 'issued' ${oneOfFilters}`,
  "filters.issued: { column: 'issued_at', range: true, description: { from: 'a' } }":
    "'description' of filter 'issued' must be a text, or { from, to } with two texts",
  "filters.level: { description: { from: 'a', to: 'b' }, examples: ['basic'] }":
    "'description' of filter 'level' must be a text",
  'filters.level: null': "'filters.level' must be an object, and is null",
  "filters.level: { examples: ['master'] }": `the example "master" does not fit parameter 'level', whose schema is {"enum":["basic","expert"],"pattern":"^(basic|expert)$","type":"string"}`,
  'filters.level: { several: true }': "parameter 'level' needs 'examples', an array",
  "filters.grade: { column: 'levle', examples: ['basic'] }": `filter 'grade' has no column 'levle'; there are ${columns}`,
  "filters.email: { column: 'users.email', examples: ['x'] }": `filter 'email' has no column 'users.email'; there are ${columns}`,
  "filters.has_coach: { column: 'coach', present: true }": `filter 'has_coach' has no column 'coach'; there are ${columns}`,
  "filters.score: { examples: ['1'] }":
    "filter 'score' needs a column of the kind text or enum or id or boolean, and 'score' is of the kind decimal",
  "filters.named: { column: 'title', range: true }":
    "filter 'named' needs a column of the kind time or date or decimal or integer, and 'title' is of the kind text",
  'filters.score: { several: true, examples: [1] }':
    "filter 'score' needs a column of the kind text or enum or id, and 'score' is of the kind decimal",

  'roles: ': "'roles' must be an object with at least one role and its reach, and is undefined",
  'roles: {}': "'roles' must be an object with at least one role and its reach, and is an object with no properties",
  "roles: { Admin: 'alle' }": `the reach of 'Admin' ${aReach} 'alle' (did you mean 'all'?)`,
  'owner: ': "field 'email' needs the property 'owner', the column with the id of the user",
  "owner: ; fields.email: ; search: { columns: ['users.email'], examples: ['x'] }": `'search' has no column 'users.email'; there are ${columns}`,
  "owner: ; fields.email: ; search: ; roles: { Coach: 'own' }": `the reach of 'Coach' ${aReach} 'own', which needs the property 'owner'`,
  "fields.name: { column: 'title', roles: [], examples: ['x'] }":
    "'roles' of field 'name' must be an array of at least one role, and is an array",
  "fields.title: column.text({ roles: null, examples: ['x'] })":
    "'roles' of field 'title' must be an array of at least one role, and is null",
  "fields.issuedAt: { column: 'issued_at', roles: ['Admin'], examples: ['2024-03-01T09:30:00Z'] }":
    "field 'issuedAt' cannot have 'roles', because 'issued_at' is in every order of the list",
  "columns.score: column.decimal({ roles: ['Admin'] })":
    "'columns.score' cannot have 'roles': give them to the field that shows the column",
  "roles: { Coach: { own: 'title' } }": `the reach of 'Coach' ${aReach} { own: 'title' }, ${ids}; there are ${idColumns}`,
  "roles: { Coach: { linked: 'coach' } }": `the reach of 'Coach' ${aReach} { linked: 'coach' }, ${ids}; there are ${idColumns}`,
  "roles: { Coach: [{ own: 'coach_id' }, { linked: 'holder_ids' }] }": `the reach of 'Coach' ${aReach} an array with { linked: 'holder_ids' }, ${ids} (did you mean 'holder_id'?); there are ${idColumns}`,
  "roles: { Coach: [{ own: 'coach_id' }, 'all'] }": `the reach of 'Coach' ${aReach} an array with 'all'`,
  'roles: { Coach: [] }': `the reach of 'Coach' ${aReach} an array with no part`,
  "roles: { Coach: { linked: 'coach_id', bye: 'x' } }": `the reach of 'Coach' ${aReach} an object with linked, bye`,
  "roles: { Coach: { own: 'coach_id', by: 'staff' } }": `the reach of 'Coach' ${aReach} an object with own, by`,
  "roles: { Coach: { linked: 'coach_id', by: 'users' } }": `the reach of 'Coach' ${aReach} { linked: 'coach_id' } by 'users', ${noTable}`,
  "roles: { Coach: { linked: 'coach_id', by: 'crm.staff' } }": `the reach of 'Coach' ${aReach} { linked: 'coach_id' } by 'crm.staff', ${noTable}`,
  "roles: { Coach: { linked: 'coach_id', by: 'certificates' } }": `the reach of 'Coach' ${aReach} { linked: 'coach_id' } by 'certificates', ${noTable}`,
  "roles: { Coach: { linked: 'coach_id', by: null } }": `the reach of 'Coach' ${aReach} { linked: 'coach_id' } by null, ${noTable}`,
  "roles: { otherRoles: 'owns' }": `the reach of 'otherRoles' ${aReach} 'owns' (did you mean 'own'?)`,
  "otherRoles: 'owns'": `the reach of 'otherRoles' ${aReach} 'owns' (did you mean 'own'?)`,

  'extend: null': "'extend' needs an object, and not null",
  "extend: { roles: { Admin: 'own' } }":
    "'extend' cannot change 'roles'; it takes columns, joined, fields, filters, search, sort, path, key, openapi",
  "extend: { fields: { title: { column: 'level', examples: ['basic'] } } }": "the list has the field 'title' already",
  'extend: { columns: { title: column.text() } }': "the list has the column 'title' already",
  "extend: { filters: { level: { column: 'title', examples: ['x'] } } }": "the list has the filter 'level' already",
  "extend: { search: { columns: ['level'] } }":
    "'search' needs a column of the kind text, and 'level' is of the kind enum",
  "extend: { search: { columns: ['title'], exmples: ['x'] } }":
    "'search' has no property 'exmples' (did you mean 'examples'?)",
  "extend: { search: { columns: ['title'] } }": "'search' names the column 'title' twice",
  'joined: { users: { full: column.text() } }; extend: { joined: { users: { full: column.text() } } }':
    "the table 'users' has the column 'full' already",
  'joined: { practitioners: { title: column.text() } }; extend: { joined: { practitioners: { title: column.text() } } }':
    "the table 'practitioners' has the column 'title' already",
  'extend: { joined: { users: { email: column.text() } } }': "the table 'users' has the column 'email' already",
  "extend: { columns: { currency: column.text() }, fields: { money: { column: 'curency', examples: ['€'] } } }": `field 'money' has no column 'curency' (did you mean 'currency'?); there are ${columns}, currency, ${shown.slice(columns.length + 2)}`
}

/** Runs a definition as JavaScript, as a host without TypeScript does. */
const run = (changes?: string): typeof payments =>
  new Function('column', 'defineList', `return ${definitionCode(changes)}`)(column, defineList)

t.test('each mistake of a definition is a TypeError at the boot that says what to do', (t) => {
  t.ok(run())
  for (const [changes, message] of Object.entries(mistakes)) {
    const list = /^name: '(.*)'$/.exec(changes)?.[1] ?? 'certificates'
    t.throws(
      () => run(changes),
      { name: 'TypeError', code: 'FST_LISTING_INVALID_OPTION', message: `List '${list}': ${message}.` },
      changes
    )
  }
  t.throws(() => defineList(undefined as never), {
    code: 'FST_LISTING_INVALID_OPTION',
    message: "List 'undefined': the definition must be an object, and is undefined."
  })
  t.end()
})

t.test('a column stands in the field that shows it, with what OpenAPI says of it', (t) => {
  const level = "{ whenNull: 'null', description: 'Of the exam.', examples: ['basic', null] }"
  const others = "columns: { holder_id: column.id(), issued_at: column.utcTime({ whenNull: 'error' }) }"
  const list = run(`${others}; fields.level: column.enum(['basic', 'expert'], ${level})`)
  t.strictSame(Object.keys(list.columns), ['certificate_id', 'title', 'level', 'holder_id', 'issued_at'])
  t.match(list.item.properties, {
    level: { description: 'Of the exam.', examples: ['basic', null], anyOf: [{ enum: ['basic', 'expert'] }, {}] }
  })
  const wrong = `${others}; filters: ; fields.level: column.integer({ examples: ["3"] })`
  t.throws(() => run(wrong), { message: /the example "3" does not fit field 'level'/ })
  t.end()
})

t.test('a list may have neither search nor filters, and an extended one another description of its search', (t) => {
  const { query, search, filters } = run('search: ; filters: ')
  t.strictSame([Object.keys(query.properties), filters], [['page', 'limit'], {}])
  t.match(search, { records: [], users: [] })
  const list = run("extend: { search: { description: 'In the title.' } }")
  t.match(list.query.properties.search, { description: 'In the title.', examples: ['aid'] })
  const searched = run("search: ; extend: { search: { columns: ['title'], examples: ['aid'] } }")
  t.match(searched.search, { records: ['r.title'], users: [] })
  t.ok(searched.query.properties.search)
  t.end()
})

t.test('a later change of a definition has no effect, and a list cannot change', (t) => {
  const { definition } = run()
  const parts = [{ own: 'holder_id' }]
  const roles: Record<string, unknown> = { Admin: 'all', Coach: parts }
  const readers = ['Admin']
  const note = { column: 'title', roles: readers, examples: ['x'] }
  const changed = { ...definition, fields: { ...definition.fields, note }, roles, otherRoles: parts }
  const list = defineList(changed as never as typeof definition)
  roles.User = 'all'
  parts.push({ own: 'coach_id' })
  readers.push('User')
  t.strictSame(list.roles, { Admin: 'all', Coach: [{ own: 'holder_id' }] })
  t.strictSame([list.otherRoles, Object(list.fields).note.roles], [[{ own: 'holder_id' }], ['Admin']])
  for (const part of [list, list.roles, list.columns]) t.ok(Object.isFrozen(part))
  t.strictSame(list.extend({ filters: undefined }).columns, list.columns)
  t.strictSame(Object(list).extend().columns, list.columns)
  t.end()
})

t.test('the properties of a part of a reach come in any order', (t) => {
  const { roles } = run(
    "roles: { Coach: [{ by: 'staff', linked: 'coach_id' }, { linked: 'coach_id', by: undefined }] }"
  )
  t.strictSame(roles.Coach, [
    { by: 'staff', linked: 'coach_id' },
    { linked: 'coach_id', by: undefined }
  ])
  t.end()
})

t.test('the fields of a list decide its joins, and a column may have the name of a joined table', (t) => {
  t.strictSame(assessments.joins, { u: 'users', p: 'practitioners', m: 'memberships' })
  t.strictSame(payments.joins, { u: 'users' })
  const fields = "{ certificate_id: column.id({ examples: ['81'] }), users: column.integer({ examples: [3] }) }"
  t.strictSame(run(`search: ; fields: ${fields}`).joins, {})
  t.end()
})

t.test('the schema of an item requires every field and allows no other', (t) => {
  for (const { item, fields } of [assessments, payments]) {
    const schemas = Object.entries<Field>(fields).map(([name, { schema }]) => [name, schema])
    t.match(item, { type: 'object', additionalProperties: false, required: Object.keys(fields) })
    t.strictSame(item.properties, Object.fromEntries(schemas))
  }
  t.end()
})

t.test('a list that is extended twice has what both extensions add', (t) => {
  const text = column.text({ whenNull: 'error' })
  const examples = ['x']
  const list = payments
    .extend({
      columns: { one: text },
      joined: { users: { title: text } },
      filters: { one: { examples } },
      sort: ['one']
    })
    .extend({
      columns: { other: text },
      joined: { users: { team: text } },
      fields: { title: { column: 'users.title', examples }, team: { column: 'users.team', examples } },
      filters: { other: { examples } },
      sort: ['other']
    })
  t.strictSame(Object.keys(list.parameters), ['search', 'processor_status', 'one', 'other', 'sort'])
  t.strictSame(Object.keys(list.orders), ['', 'one', '-one', 'other', '-other'])
  t.match(list.fields, { title: { column: 'u.title' }, team: { column: 'u.team' } })
  t.end()
})
