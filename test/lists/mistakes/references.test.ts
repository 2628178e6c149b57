import t from 'tap'
import { areRefused, run } from '../../support/fixtures/definition-code.js'

const columns = 'certificate_id, title, holder_id, coach_id, level, score, expires_at, issued_at'
const searchable = `${columns}, users.first_name, users.last_name, users.email, users.avatar_url`
const shown = `${searchable}, practitioners.first_name, practitioners.last_name, memberships.org_name`
const neverNull = "must never be null: give it whenNull: 'error'"
const oneOfFilters = "can have only one of 'several', 'range' and 'present'"
const fieldOfId = "'fields' needs the column of the id, 'certificate_id: column.id({ examples })'"

const [aField, ofOrder] = ['needs a field that shows', "because 'next' has the value of the order"]
const issued = "fields.issued: { column: 'issued_at', examples: ['2024-03-01T09:30:00Z'] }"
const unshown = (column: string) =>
  `no field shows '${column}', but a parameter reads it, so every role can find out its values: give it a field, with 'roles' if only some may see it, or name it in 'unshown'`
const few = "needs a column of the kind enum or boolean, or 'present', because their values are few, and"

t.test('a name of no column, or of a column of another kind, is a mistake', async (t) => {
  areRefused(t, {
    "id: 'id'": `'id' has no column 'id'; there are ${columns}`,
    "fields.certificate_id: column.id({ whenNull: 'null', examples: ['81'] })": `the column 'certificate_id' of 'id' ${neverNull}`,
    "owner: 'score'": "'owner' needs a column of the kind id, and 'score' is of the kind decimal",
    "practitioner: 'title'": "'practitioner' needs a column of the kind id, and 'title' is of the kind text",
    "within: { title: 'tenant' }": "'within' needs a column of the kind id, and 'title' is of the kind text",
    "within: { coach_id: '' }":
      "'within.coach_id' must be the name of an id in 'ids' of resolveRole, and is an empty string",
    // Without the column, callers would see other tenants.
    'within: { coach_id: undefined }':
      "'within.coach_id' must be the name of an id in 'ids' of resolveRole, and is undefined",
    "within: 'coach_id'": "'within' must be an object, and is a string",
    "order: '-title'": "'order' needs a column of the kind time or date, and 'title' is of the kind text",
    "order: 'title'": "'order' needs a column of the kind time or date, and 'title' is of the kind text",
    "order: '-expires_at'": `the column 'expires_at' of 'order' ${neverNull}`,
    "order: 'issued'": `'order' has no column 'issued'; there are ${columns}`,
    "order: '--issued_at'": `'order' has no column '-issued_at' (did you mean 'issued_at'?); there are ${columns}`,
    "order: '-'": `'order' has no column ''; there are ${columns}`,
    "sort: ['users.email']": `'sort' has no column 'users.email'; there are ${columns}`,
    "sort: ['score', 'score']": "'sort' names the column 'score' twice",
    "sort: ['done']; columns.done: column.boolean()":
      "'sort' needs a column of the kind text or enum or id or time or date or decimal or integer, and 'done' is of the kind boolean",
    "fields.name: { column: 5, examples: ['x'] }": `field 'name' has no column '5'; there are ${shown}`,
    "fields.name: { column: 'titel', examples: ['x'] }": `field 'name' has no column 'titel' (did you mean 'title'?); there are ${shown}`,
    "fields.name: { examples: ['x'] }": "field 'name' needs 'column', or is itself a column, such as column.text()",
    "fields.owner: { column: 'links.owner_id', examples: ['1'] }": `field 'owner' has no column 'links.owner_id'; there are ${shown}`,
    "fields.holder: { column: 'users.user_id', examples: ['1'] }": `field 'holder' has no column 'users.user_id'; there are ${shown}`,
    "fields.coach: { column: 'practitioners.last_name', examples: ['Nguyen'] }":
      "field 'coach' needs the property 'practitioner', the column with the id of the practitioner",
    'fields.certificate_id: ; columns.certificate_id: column.id()': fieldOfId,
    "fields.certificate_id: { column: 'holder_id', examples: ['81'] }; columns.certificate_id: column.id()": fieldOfId,
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
    "filters.grade: { column: 'levle', examples: ['basic'] }": `filter 'grade' has no column 'levle' (did you mean 'level'?); there are ${columns}`,
    "filters.email: { column: 'users.email', examples: ['x'] }": `filter 'email' has no column 'users.email'; there are ${columns}`,
    "filters.has_coach: { column: 'coach', present: true }": `filter 'has_coach' has no column 'coach'; there are ${columns}`,
    "filters.score: { examples: ['1'] }":
      "filter 'score' needs a column of the kind text or enum or id or boolean, and 'score' is of the kind decimal",
    "filters.named: { column: 'title', range: true }":
      "filter 'named' needs a column of the kind time or date or decimal or integer, and 'title' is of the kind text",
    'filters.score: { several: true, examples: [1] }':
      "filter 'score' needs a column of the kind text or enum or id, and 'score' is of the kind decimal",
    'owner: ': "field 'email' needs the property 'owner', the column with the id of the user",
    "owner: ; fields.email: ; search: { columns: ['users.email'], examples: ['x'] }": `'search' has no column 'users.email'; there are ${columns}`,
    "fields.name: { column: 'title', roles: [], examples: ['x'] }":
      "'roles' of field 'name' must be an array of at least one role, and is an array",
    "fields.title: column.text({ roles: null, examples: ['x'] })":
      "'roles' of field 'title' must be an array of at least one role, and is null",
    "fields.issuedAt: { column: 'issued_at', roles: ['Admin'], examples: ['2024-03-01T09:30:00Z'] }":
      "field 'issuedAt' cannot have 'roles', because 'issued_at' is in every order of the list",
    "paging: 'after'": `'paging' after ${aField} 'issued_at', ${ofOrder}`,
    [`paging: 'after'; ${issued}; sort: ['score']; columns.score: column.decimal()`]: `'paging' after ${aField} 'score', ${ofOrder}`,
    [`paging: 'after'; ${issued}; sort: ['level']; fields.grade: { column: 'level', examples: ['basic'] }; columns.level: column.enum(['basic'])`]:
      "'sort' cannot name 'level' of the kind enum together with 'paging' after, because an ENUM of MySQL is sorted by its place, and compared by its text",
    [`paging: 'after'; ${issued}; filters.total: { column: 'title', examples: ['x'] }`]:
      "the parameter 'total' is taken",
    [`paging: 'after'; ${issued}; filters.after: { column: 'title', examples: ['x'] }`]:
      "the parameter 'after' is taken",
    "filters.level: { counted: true, examples: ['basic'] }; filters.counts: { column: 'title', examples: ['x'] }":
      "the parameter 'counts' is taken",
    "filters.title: { counted: true, examples: ['x'] }": `'counted' of filter 'title' ${few} 'title' is of the kind text`,
    'filters.score: { counted: true, range: true }': `'counted' of filter 'score' ${few} 'score' is of the kind decimal`,
    "extend: { search: { columns: ['level'] } }":
      "'search' needs a column of the kind text, and 'level' is of the kind enum",
    "extend: { search: { columns: ['title'] } }": "'search' names the column 'title' twice",
    "extend: { columns: { currency: column.text() }, fields: { money: { column: 'curency', examples: ['€'] } } }": `field 'money' has no column 'curency' (did you mean 'currency'?); there are ${columns}, currency, ${shown.slice(columns.length + 2)}`
  })
})

t.test('a column that a parameter reads and no field shows is a mistake, unless the definition says so', async (t) => {
  const coach = "{ column: 'practitioners.last_name', examples: ['Nguyen'] }"
  const searched = (column: string) => `search: { columns: ['title', '${column}'], examples: ['x'] }`
  areRefused(t, {
    'unshown: ': unshown('level'),
    'unshown: []': unshown('level'),
    "unshown: ['issued_at']": unshown('level'),
    "unshown: ['level']": unshown('issued_at'),
    "unshown: ['level', 'issued_at']; filters.has_coach: { column: 'coach_id', present: true }": unshown('coach_id'),
    "unshown: ['level', 'issued_at']; filters.coach_id: { several: true, examples: ['7'] }": unshown('coach_id'),
    "unshown: ['level', 'issued_at']; sort: ['certificate_id', 'score']": unshown('score'),
    [`${searched('code')}; columns.code: column.text()`]: unshown('code'),
    [searched('users.last_name')]: unshown('users.last_name'),
    [`${searched('users.full')}; joined: { users: { full: column.text() } }`]: unshown('users.full'),
    [`${searched('users.last_name')}; practitioner: 'coach_id'; fields.coach: ${coach}`]: unshown('users.last_name'),
    "unshown: ['issued_at']; fields.level: { column: 'title', examples: ['x'] }": unshown('level'),
    "unshown: ['level', 'issued_at']; extend: { filters: { score: { range: true } } }": unshown('score'),
    "unshown: ['issued_at']; extend: { unshown: ['level'] }": unshown('level'),
    "unshown: ['levle']": `'unshown' has no column 'levle' (did you mean 'level'?); there are ${searchable}`,
    "unshown: ['practitioners.last_name']": `'unshown' has no column 'practitioners.last_name'; there are ${searchable}`,
    "unshown: ['users.user_id']": `'unshown' has no column 'users.user_id'; there are ${searchable}`,
    'unshown: [5]': `'unshown' has no column '5'; there are ${searchable}`,
    "owner: ; fields.email: ; search: ; unshown: ['users.email']": `'unshown' has no column 'users.email'; there are ${columns}`,
    "extend: { unshown: ['levle'] }": `'unshown' has no column 'levle' (did you mean 'level'?); there are ${searchable}`
  })
})

t.test('a column that a field shows needs no unshown, also where only some roles get the field', async (t) => {
  const level = "column.enum(['basic', 'expert'], { whenNull: 'null', roles: ['Admin'], examples: ['basic'] })"
  for (const right of [
    `unshown: ['issued_at']; columns.level: ; fields.level: ${level}`,
    "unshown: ['issued_at']; fields.grade: { column: 'level', roles: ['Admin'], examples: ['basic'] }",
    "unshown: ['level', 'issued_at']; fields.email: { column: 'users.email', roles: ['Admin'], examples: ['x'] }",
    "unshown: ['issued_at']; filters.level: ",
    "filters: ; unshown: ['title', 'users.email']",
    "unshown: ['level', 'issued_at', 'users.last_name']; search: { columns: ['users.last_name'], examples: ['x'] }",
    "unshown: ['level', 'issued_at']; extend: { filters: { score: { range: true } }, unshown: ['score'] }",
    "unshown: ['level', 'issued_at']; extend: { columns: { code: column.text() }, sort: ['code'], unshown: ['code'] }",
    "unshown: ['level', 'issued_at']; extend: { fields: { code: column.text({ examples: ['x'] }) }, sort: ['code'] }"
  ]) {
    t.ok(run(right), right)
  }
})
