/** What the compiler and `defineList` say of mistakes, and the properties of a correct list. */
import t from 'tap'
import { assessments } from '../../src/lists/assessments.js'
import { column } from '../../src/lists/columns.js'
import { defineList } from '../../src/lists/define-list.js'
import type { Field } from '../../src/lists/list.js'
import { payments } from '../../src/lists/payments.js'
import { openEditor } from '../support/editor.js'

const right: Record<string, string> = {
  name: "'certificates'",
  path: "'/certificate/list'",
  key: "'data'",
  openapi:
    "{ name: 'Certificate', operationId: 'listCertificates', summary: 'List', description: 'The certificates.' }",
  fields: `{ certificate_id: column.id({ examples: ['81'] }), email: { column: 'users.email', examples: ['zoe@example.org'] },
    title: column.text({ examples: ['First aid'] }) }`,
  columns: `{ holder_id: column.id(), coach_id: column.id({ whenNull: 'null' }),
    level: column.enum(['basic', 'expert'], { whenNull: 'null' }), score: column.decimal(), expires_at: column.utcTime(),
    issued_at: column.utcTime({ whenNull: 'error' }) }`,
  id: "'certificate_id'",
  owner: "'holder_id'",
  newest: "'issued_at'",
  search: "{ columns: ['title', 'users.email'], examples: ['aid'] }",
  filters: "{ level: { examples: ['basic'] }, issued: { column: 'issued_at', range: true } }",
  roles: "{ Admin: 'all' }",
  messages: "{ found: 'Found.', forbidden: 'No.' }"
}

/** The right definition with some changed lines. An empty text leaves the line out. */
const definition = (changes: Record<string, string> = {}): string => {
  const lines = Object.entries({ ...right, ...changes }).filter(([, value]) => value !== '')
  return `defineList({\n${lines.map(([name, value]) => `  ${name}: ${value}`).join(',\n')}\n})`
}

const fieldsWith = (more: string) => right.fields?.replace('{', `{ ${more},`) ?? ''

const columnsWith = (more: string) => right.columns?.replace('{', `{ ${more},`) ?? ''
const columnsWithId = columnsWith('certificate_id: column.id()')

interface Mistake {
  changes?: Record<string, string>
  /** The argument of `extend`. */
  additions?: string
  /** A part of the compiler's message, if the compiler sees the mistake. */
  compiler?: RegExp
  /** The message of the TypeError at the boot, without the name of the list. */
  boot: string
}

const columns = 'certificate_id, title, holder_id, coach_id, level, score, expires_at, issued_at'
const searchable = `${columns}, users.first_name, users.last_name, users.email, users.avatar_url`
const ofOthers = 'practitioners.first_name, practitioners.last_name, memberships.org_name'
const shown = `${searchable}, ${ofOthers}`
const wrongName =
  "'name' must be a word of letters, digits, '_' and '-', and none of users, practitioners, memberships, links, and is a string"
const wrongTexts = 'needs texts that are not empty, have no control characters and differ in more than case and accents'
const aWord = "must be a word of letters, digits, '_' and '-', and no name that every object has"

const mistakes: Record<string, Mistake> = {
  'a name that is no word': {
    changes: { name: "'my certificates'" },
    boot: wrongName
  },
  'the name of a table that lists join': {
    changes: { name: "'users'" },
    boot: wrongName
  },
  'a path without a slash': {
    changes: { path: "'certificate/list'" },
    compiler: /Type '"certificate\/list"' is not assignable to type '`\/\$\{string\}`'/,
    boot: "'path' must be a text that begins with '/', and has no space, '?', ';', '#' or '%', and is a string"
  },
  'a key that every answer has already': {
    changes: { key: "'total'" },
    boot: "'key' must be a text, and none of status, message, page, limit, total, and is a string"
  },
  'no name for OpenAPI': {
    changes: { openapi: "{ name: 'Certificate', summary: 'List', description: 'x' }" },
    compiler: /Property 'operationId' is missing in type/,
    boot: "'openapi.operationId' must be a word of letters, digits, '.', '_' and '-', and is undefined"
  },
  'no texts': {
    changes: { messages: '' },
    compiler: /Property 'messages' is missing in type/,
    boot: "'messages.found' must be a text, and is undefined"
  },
  'a column that is not made by column': {
    changes: { columns: right.columns?.replace('column.decimal()', "'decimal'") ?? '' },
    compiler: /Type 'string' is not assignable to type 'Column'/,
    boot: "'columns.score' must be made by 'column', and is a string"
  },
  'the same text twice': {
    changes: { columns: right.columns?.replace("'expert'", "'basic'") ?? '' },
    boot: `column 'level' ${wrongTexts}`
  },
  'two texts that differ only in case': {
    changes: { columns: right.columns?.replace("'expert'", "'Basic'") ?? '' },
    boot: `column 'level' ${wrongTexts}`
  },
  'an id that is no column': {
    changes: { id: "'id'" },
    compiler: /Type '"id"' is not assignable to type/,
    boot: `'id' has no column 'id'; there are ${columns}`
  },
  'a parameter that every list has': {
    changes: { filters: "{ limit: { column: 'title', examples: ['x'] } }" },
    boot: "the parameter 'limit' is taken"
  },
  'a reach of other roles that there is not': {
    changes: { otherRoles: "'owns'" },
    compiler: /Type '"owns"' is not assignable to type/,
    boot: "the reach of 'otherRoles' must be one of own, linked, all, none, or { own: a column }, and is 'owns' (did you mean 'own'?)"
  },
  'a filter that is two things': {
    changes: { filters: "{ title: { several: true, present: true, examples: ['x'] } }" },
    boot: "filter 'title' can have only one of 'several', 'range' and 'present'"
  },
  'a text that no query string can hold': {
    changes: { columns: right.columns?.replace("'expert'", "'ex\\npert'") ?? '' },
    boot: `column 'level' ${wrongTexts}`
  },
  'an id that may be null': {
    changes: { fields: right.fields?.replace('column.id({', "column.id({ whenNull: 'null',") ?? '' },
    boot: "the column 'certificate_id' of 'id' must never be null: give it whenNull: 'error'"
  },
  'an owner that holds no ids': {
    changes: { owner: "'score'" },
    compiler: /Type '"score"' is not assignable to type '"certificate_id" \| "holder_id" \| "coach_id"'/,
    boot: "'owner' needs a column of the kind id, and 'score' is of the kind decimal"
  },
  'an order by a column that is no time': {
    changes: { newest: "'title'", filters: '' },
    compiler: /Type '"title"' is not assignable to type '"expires_at" \| "issued_at"'/,
    boot: "'newest' needs a column of the kind time or date, and 'title' is of the kind text"
  },
  'an order by a column that may be null': {
    changes: { newest: "'expires_at'", filters: '' },
    boot: "the column 'expires_at' of 'newest' must never be null: give it whenNull: 'error'"
  },
  'two fixed orders': {
    changes: { oldest: "'issued_at'" },
    boot: "the definition needs exactly one of 'newest' and 'oldest', the column that sorts the list"
  },
  'no fixed order': {
    changes: { newest: '' },
    boot: "the definition needs exactly one of 'newest' and 'oldest', the column that sorts the list"
  },
  'a sort by a column that may be null': {
    changes: { sort: "['title']" },
    boot: "the column 'title' of 'sort' must never be null: give it whenNull: 'error'"
  },
  'a sort by a column of another table': {
    changes: { sort: "['users.email']" },
    compiler: /Type '"users.email"' is not assignable to type/,
    boot: `'sort' has no column 'users.email'; there are ${columns}`
  },
  'a sort by a yes or a no': {
    changes: { sort: "['done']", columns: columnsWith('done: column.boolean()') },
    compiler: /Type '"done"' is not assignable to type/,
    boot: "'sort' needs a column of the kind id or text or enum or decimal or integer or date or time, and 'done' is of the kind boolean"
  },
  'a column that also stands in the fields': {
    changes: { fields: fieldsWith("level: column.text({ examples: ['basic'] })") },
    boot: "the list has the column 'level' already"
  },
  'a field that is a column of the users by mistake': {
    changes: { fields: fieldsWith("'users.email': column.text({ examples: ['x'] })") },
    boot: `the name 'users.email' in 'fields' ${aWord}`
  },
  'a sort by one column twice': {
    changes: { sort: "['score', 'score']" },
    boot: "'sort' names the column 'score' twice"
  },
  'a column that the users have already': {
    changes: { joined: '{ users: { email: column.text() } }' },
    boot: "the table 'users' has the column 'email' already"
  },
  'more columns of a table that cannot have more': {
    changes: { joined: '{ links: { note: column.text() } }' },
    compiler: /'links' does not exist in type/,
    boot: "'joined' has no property 'links'"
  },
  'a term that is no function': {
    changes: { search: "{ columns: ['title'], term: 'lower', examples: ['x'] }" },
    compiler: /Type 'string' is not assignable to type '\(term: string\) => string'/,
    boot: "'search.term' must be a function of a text, and is a string"
  },
  'own records by a column that holds no ids': {
    changes: { roles: "{ Coach: { own: 'title' } }" },
    compiler: /Type '"title"' is not assignable to type/,
    boot: "the reach of 'Coach' needs a column of the kind id, and 'title' is of the kind text"
  },
  'a practitioner that holds no ids': {
    changes: { practitioner: "'title'" },
    compiler: /Type '"title"' is not assignable to type '"certificate_id" \| "holder_id" \| "coach_id"'/,
    boot: "'practitioner' needs a column of the kind id, and 'title' is of the kind text"
  },
  'a field of practitioners without the practitioner': {
    changes: { fields: fieldsWith("coach: { column: 'practitioners.last_name', examples: ['Nguyen'] }") },
    boot: "field 'coach' needs the property 'practitioner', the column with the id of the practitioner"
  },
  'a column that is no text': {
    changes: { fields: fieldsWith("name: { column: 5, examples: ['x'] }") },
    compiler: /Type 'number' is not assignable to type/,
    boot: `field 'name' has no column '5'; there are ${shown}`
  },
  'a search without columns': {
    changes: { search: "{ examples: ['x'] }" },
    compiler: /Property 'columns' is missing in type/,
    boot: "'search.columns' must be an array of at least one text, and is undefined"
  },
  'a misspelt column in a field': {
    changes: { fields: fieldsWith("name: { column: 'titel', examples: ['x'] }") },
    compiler: /Type '"titel"' is not assignable to type .*Did you mean '"title"'\?/,
    boot: `field 'name' has no column 'titel'; there are ${shown}`
  },
  'a field that is named after no column': {
    changes: { fields: fieldsWith("name: { examples: ['x'] }") },
    compiler: /Property 'column' is missing in type/,
    boot: "field 'name' needs 'column', or is itself a column, such as column.text()"
  },
  'a field of a table that lists do not join': {
    changes: { fields: fieldsWith("owner: { column: 'links.owner_id', examples: ['1'] }") },
    compiler: /Type '"links.owner_id"' is not assignable to type/,
    boot: `field 'owner' has no column 'links.owner_id'; there are ${shown}`
  },
  'a field of the id of a joined table': {
    changes: { fields: fieldsWith("holder: { column: 'users.user_id', examples: ['1'] }") },
    compiler: /Type '"users.user_id"' is not assignable to type/,
    boot: `field 'holder' has no column 'users.user_id'; there are ${shown}`
  },
  'no field of the record’s id': {
    changes: { fields: "{ title: column.text({ examples: ['x'] }) }", columns: columnsWithId },
    boot: "'fields' needs the column of the id, 'certificate_id: column.id({ examples })'"
  },
  'the record’s id from another column': {
    changes: {
      fields: "{ certificate_id: { column: 'holder_id', examples: ['81'] }, title: column.text({ examples: ['x'] }) }",
      columns: columnsWithId
    },
    boot: "'fields' needs the column of the id, 'certificate_id: column.id({ examples })'"
  },
  'a field without an example': {
    changes: { fields: fieldsWith("coach: { column: 'coach_id' }") },
    compiler: /Property 'examples' is missing in type '\{ column: "coach_id"; \}' but required in type/,
    boot: "field 'coach' needs 'examples', an array"
  },
  'an example that does not fit': {
    changes: { fields: fieldsWith("points: { column: 'score', examples: ['87.5'] }") },
    boot: `the example "87.5" does not fit field 'points', whose schema is {"type":"number"}`
  },
  'an example of another time': {
    changes: { fields: fieldsWith("issued: { column: 'issued_at', examples: ['2024-03-01 09:30:00'] }") },
    boot: `the example "2024-03-01 09:30:00" does not fit field 'issued', whose schema is {"type":"string"} and the form ^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\dZ$`
  },
  'an example of a parameter that does not fit': {
    changes: { filters: "{ level: { examples: ['master'] } }" },
    boot: `the example "master" does not fit parameter 'level', whose schema is {"enum":["basic","expert"],"pattern":"^(basic|expert)$","type":"string"}`
  },
  'a search in a column that the users do not have': {
    changes: { search: "{ columns: ['users.mail'], examples: ['x'] }" },
    compiler: /Type '"users.mail"' is not assignable to type .*"users.email"/,
    boot: `'search' has no column 'users.mail' (did you mean 'users.email'?); there are ${searchable}`
  },
  'a search in practitioners': {
    changes: { search: "{ columns: ['practitioners.last_name'], examples: ['x'] }" },
    compiler: /Type '"practitioners.last_name"' is not assignable to type/,
    boot: `'search' has no column 'practitioners.last_name'; there are ${searchable}`
  },
  'a search in a column that is no text': {
    changes: { search: "{ columns: ['score'], examples: ['x'] }" },
    compiler: /Type '"score"' is not assignable to type .*"title"/,
    boot: "'search' needs a column of the kind text, and 'score' is of the kind decimal"
  },
  'a filter on a column that the list does not have': {
    changes: { filters: "{ grade: { column: 'levle', examples: ['basic'] } }" },
    compiler: /Type '"levle"' is not assignable to type .*Did you mean '"level"'\?/,
    boot: `filter 'grade' has no column 'levle'; there are ${columns}`
  },
  'a filter of a kind that cannot be compared': {
    changes: { filters: "{ score: { examples: ['1'] } }" },
    compiler: /Property 'column' is missing in type/,
    boot: "filter 'score' needs a column of the kind text or enum or id or boolean, and 'score' is of the kind decimal"
  },
  'a range of texts': {
    changes: { filters: "{ named: { column: 'title', range: true } }" },
    compiler: /Type '"title"' is not assignable to type '"score" \| "expires_at" \| "issued_at"'/,
    boot: "filter 'named' needs a column of the kind time or date or decimal or integer, and 'title' is of the kind text"
  },
  'several numbers': {
    changes: { filters: '{ score: { several: true, examples: [1] } }' },
    boot: "filter 'score' needs a column of the kind text or enum or id, and 'score' is of the kind decimal"
  },
  'a range of several values': {
    changes: { filters: "{ issued: { column: 'issued_at', range: true, several: true } }" },
    boot: "filter 'issued' can have only one of 'several', 'range' and 'present'"
  },
  'half of a description': {
    changes: { filters: "{ issued: { column: 'issued_at', range: true, description: { from: 'a' } } }" },
    boot: "'description' of filter 'issued' must be a text, or { from, to } with two texts"
  },
  'several values without an example': {
    changes: { filters: '{ level: { several: true } }' },
    compiler: /Property 'examples' is missing in type '\{ several: true; \}'/,
    boot: "parameter 'level' needs 'examples', an array"
  },
  'an enum of the users without values': {
    changes: { joined: '{ users: { state: column.enum([]) } }' },
    boot: `column 'state' ${wrongTexts}`
  },
  'a description of two ends without a range': {
    changes: { filters: "{ level: { description: { from: 'a', to: 'b' }, examples: ['basic'] } }" },
    boot: "'description' of filter 'level' must be a text"
  },
  'a filter on a joined table': {
    changes: { filters: "{ email: { column: 'users.email', examples: ['x'] } }" },
    compiler: /Type '"users.email"' is not assignable to type/,
    boot: `filter 'email' has no column 'users.email'; there are ${columns}`
  },
  'the presence of a column that the list does not have': {
    changes: { filters: "{ has_coach: { column: 'coach', present: true } }" },
    boot: `filter 'has_coach' has no column 'coach'; there are ${columns}`
  },
  'a filter with the name of the order': {
    changes: { filters: "{ sort: { column: 'title', examples: ['x'] } }" },
    boot: "the parameter 'sort' is taken"
  },
  'a filter with the name of a parameter': {
    changes: { filters: "{ page: { column: 'title', examples: ['x'] } }" },
    boot: "the parameter 'page' is taken"
  },
  'a filter with the name of the end of a range': {
    changes: {
      filters: "{ issued: { column: 'issued_at', range: true }, issued_to: { column: 'title', examples: ['x'] } }"
    },
    boot: "the parameter 'issued_to' is taken"
  },
  'no roles': {
    changes: { roles: '' },
    compiler: /Property 'roles' is missing in type/,
    boot: "'roles' must be an object with at least one role and its reach, and is undefined"
  },
  'a reach that does not exist': {
    changes: { roles: "{ Admin: 'alle' }" },
    compiler: /Type '"alle"' is not assignable to type 'Reach \| OwnBy</,
    boot: "the reach of 'Admin' must be one of own, linked, all, none, or { own: a column }, and is 'alle' (did you mean 'all'?)"
  },
  'a misspelt property': {
    changes: { filter: '{}' },
    compiler: /'filter' does not exist in type/,
    boot: "the definition has no property 'filter' (did you mean 'filters'?)"
  },
  'no role': {
    changes: { roles: '{}' },
    boot: "'roles' must be an object with at least one role and its reach, and is an object with no properties"
  },
  'a misspelt property of a field': {
    changes: { fields: fieldsWith("name: { column: 'title', examples: ['x'], descripton: 'x' }") },
    boot: "'fields.name' has no property 'descripton' (did you mean 'description'?)"
  },
  'a misspelt property of the search': {
    changes: { search: "{ columns: ['title'], requierd: true, examples: ['x'] }" },
    boot: "'search' has no property 'requierd' (did you mean 'required'?)"
  },
  'a search in no columns': {
    changes: { search: "{ columns: [], examples: ['x'] }" },
    boot: "'search.columns' must be an array of at least one text, and is an array"
  },
  'a field that every object has': {
    changes: { fields: fieldsWith("constructor: { column: 'title', examples: ['x'] }") },
    boot: `the name 'constructor' in 'fields' ${aWord}`
  },
  'a column with SQL in its name': {
    changes: { columns: columnsWith("'a as b': column.text()") },
    boot: `the name 'a as b' in 'columns' ${aWord}`
  },
  'a filter that is no object': {
    changes: { filters: '{ level: null }' },
    compiler: /Type 'null' is not assignable to type/,
    boot: "'filters.level' must be an object, and is null"
  },
  'a name for OpenAPI with a space': {
    changes: { openapi: (right.openapi ?? '').replace("'Certificate'", "'My Certificate'") },
    boot: "'openapi.name' must be a word of letters, digits, '.', '_' and '-', and is a string"
  },
  'a field that the list has already': {
    additions: "{ fields: { title: { column: 'level', examples: ['basic'] } } }",
    boot: "the list has the field 'title' already"
  },
  'a column that the list has already': {
    additions: '{ columns: { title: column.text() } }',
    boot: "the list has the column 'title' already"
  },
  'a filter that the list has already': {
    additions: "{ filters: { level: { column: 'title', examples: ['x'] } } }",
    boot: "the list has the filter 'level' already"
  },
  'an enum in the search of an extended list': {
    additions: "{ search: { columns: ['level'] } }",
    compiler: /Type '"level"' is not assignable to type/,
    boot: "'search' needs a column of the kind text, and 'level' is of the kind enum"
  },
  'an extension that is no object': {
    additions: 'null',
    boot: "'extend' needs an object, and not null"
  },
  'an extension of the search without columns and without a search': {
    additions: "{ search: { columns: ['title'], exmples: ['x'] } }",
    boot: "'search' has no property 'exmples' (did you mean 'examples'?)"
  },
  'a column that is searched already': {
    additions: "{ search: { columns: ['title'] } }",
    boot: "'search' names the column 'title' twice"
  },
  'a column of the users that the list has added already': {
    changes: { joined: '{ users: { full: column.text() } }' },
    additions: '{ joined: { users: { full: column.text() } } }',
    boot: "the table 'users' has the column 'full' already"
  },
  'other roles in an extended list': {
    additions: "{ roles: { Admin: 'own' } }",
    compiler: /'roles' does not exist in type/,
    boot: "'extend' cannot change 'roles'; it takes columns, joined, fields, filters, search, sort, path, key, openapi"
  },
  'a column of the users that an extended list has already': {
    additions: '{ joined: { users: { email: column.text() } } }',
    boot: "the table 'users' has the column 'email' already"
  },
  'a misspelt column in an extended list': {
    additions: "{ columns: { currency: column.text() }, fields: { money: { column: 'curency', examples: ['EUR'] } } }",
    compiler: /Type '"curency"' is not assignable to type .*Did you mean '"currency"'\?/,
    boot: `field 'money' has no column 'curency' (did you mean 'currency'?); there are ${columns}, currency, ${shown.slice(columns.length + 2)}`
  }
}

const codeOf = ({ changes, additions }: Partial<Mistake> = {}) =>
  definition(changes) + (additions ? `.extend(${additions})` : '')

const moduleOf = (code: string) => `
import { column } from '../src/lists/columns.js'
import { defineList } from '../src/lists/define-list.js'
export const list = ${code}`

/** Runs the code as JavaScript, as a host without TypeScript does. */
const run = (code: string): unknown => new Function('column', 'defineList', `return ${code}`)(column, defineList)

t.test('a mistake in a list does not compile, and the message names the mistake', async (t) => {
  const seen = Object.entries(mistakes).filter(([, { compiler }]) => compiler)
  // One program for all files, without Fastify and Node.js: most of the time goes into declarations of packages.
  const editor = openEditor(
    {
      jwt: '',
      right: moduleOf(codeOf()),
      ...Object.fromEntries(seen.map(([name, mistake]) => [name, moduleOf(codeOf(mistake))]))
    },
    { types: [] }
  )
  t.strictSame(editor.errors('right'), [])
  for (const [name, { compiler }] of seen) {
    const errors = editor.errors(name).join('\n')
    t.match(errors, compiler, name)
    // The first error is the mistake.
    t.notMatch(errors, /'examples' does not exist/, name)
  }
})

t.test('the same mistakes in JavaScript are a TypeError at the boot', (t) => {
  t.ok(run(codeOf()))
  for (const [name, mistake] of Object.entries(mistakes)) {
    const list = mistake.changes?.name?.replaceAll("'", '') ?? 'certificates'
    t.throws(
      () => run(codeOf(mistake)),
      { name: 'TypeError', code: 'FST_LISTING_INVALID_OPTION', message: `List '${list}': ${mistake.boot}.` },
      name
    )
  }
  t.end()
})

t.test('a column stands in the field that shows it, with what OpenAPI says of it', (t) => {
  const changes = {
    columns: "{ holder_id: column.id(), issued_at: column.utcTime({ whenNull: 'error' }) }",
    fields: fieldsWith(
      "level: column.enum(['basic', 'expert'], { whenNull: 'null', description: 'Of the exam.', examples: ['basic', null] })"
    )
  }
  const list = run(definition(changes)) as typeof payments
  t.strictSame(Object.keys(list.columns), ['level', 'certificate_id', 'title', 'holder_id', 'issued_at'])
  t.match(list.item.properties, {
    level: { description: 'Of the exam.', examples: ['basic', null], anyOf: [{ enum: ['basic', 'expert'] }, {}] }
  })
  const wrong = { ...changes, fields: fieldsWith('level: column.integer({ examples: ["3"] })'), filters: '' }
  t.throws(() => run(definition(wrong)), { message: /the example "3" does not fit field 'level'/ })
  t.end()
})

t.test('a list may have neither search nor filters', (t) => {
  const list = run(definition({ search: '', filters: '' })) as typeof payments
  t.strictSame(Object.keys(list.query.properties), ['page', 'limit'])
  t.match(list.search, { records: [], users: [] })
  t.strictSame(list.filters, {})
  t.end()
})

t.test('an extended list can have another description of its search', (t) => {
  const list = run(codeOf({ additions: "{ search: { description: 'In the title.' } }" })) as typeof payments
  t.match(list.query.properties.search, { description: 'In the title.', examples: ['aid'] })
  t.end()
})

t.test('a definition that is no object is a TypeError', (t) => {
  t.throws(() => defineList(undefined as never), {
    code: 'FST_LISTING_INVALID_OPTION',
    message: "List 'undefined': the definition must be an object, and is undefined."
  })
  t.end()
})

t.test('a kind refuses another value of whenNull', (t) => {
  const message = "'whenNull' of a column of the kind decimal must be one of error, null."
  t.throws(() => column.decimal({ whenNull: 'empty' as never }), { code: 'FST_LISTING_INVALID_OPTION', message })
  t.end()
})

t.test('a later change of a definition has no effect, and a list cannot change', (t) => {
  const roles: Record<string, 'own' | 'all'> = { Admin: 'all' }
  const list = new Function('column', 'defineList', 'roles', `return ${definition({ roles: 'roles' })}`)(
    column,
    defineList,
    roles
  )
  roles.User = 'all'
  t.strictSame(list.roles, { Admin: 'all' })
  for (const part of [list, list.roles, list.columns]) t.ok(Object.isFrozen(part))
  t.strictSame(list.extend({ filters: undefined }).columns, list.columns)
  t.strictSame(list.extend().columns, list.columns)
  t.end()
})

t.test('a column may have the name of a joined table', (t) => {
  const fields = "{ certificate_id: column.id({ examples: ['81'] }), users: column.integer({ examples: [3] }) }"
  const list = run(definition({ fields, search: '' })) as typeof payments
  t.strictSame(list.joins, {})
  t.end()
})

t.test('a range has a parameter for the first time and one for the time after the last', (t) => {
  const { filters, query } = run(codeOf()) as typeof payments
  t.match(filters, {
    level: { column: 'level', operator: '=' },
    issued_from: { column: 'issued_at', operator: '>=', notation: { message: 'parameterNotTime' } },
    issued_to: { column: 'issued_at', operator: '<', notation: { message: 'parameterNotTime' } }
  })
  t.strictSame(Object.keys(query.properties), ['search', ...Object.keys(filters), 'page', 'limit'])
  t.end()
})

t.test('the fields of a list decide its joins, and the key stands in the answer', (t) => {
  t.strictSame(assessments.joins, { u: 'users', p: 'practitioners', m: 'memberships' })
  t.strictSame(payments.joins, { u: 'users' })
  t.ok(payments.page.properties.data)
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

t.test('a list is not extended twice by one column of a joined table', (t) => {
  for (const table of ['users', 'practitioners'] as const) {
    const joined = { [table]: { title: column.text() } }
    t.throws(() => payments.extend({ joined }).extend({ joined }), {
      message: `List 'payments': the table '${table}' has the column 'title' already.`
    })
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
