/** What the author of a host sees in an editor: what the compiler says of mistakes, and what an option explains of itself. */
import t from 'tap'
import { defaultLists } from '../../src/lists/ready/index.js'
import { rulesFor } from '../../src/options/rules.js'
import { definitionCode } from '../support/fixtures/definition-code.js'
import { hoverTexts, openEditor } from '../support/running/editor.js'

const context = `
import Fastify, { type FastifyRequest } from 'fastify'
import { Kysely, MysqlDialect, type MysqlPool } from 'kysely'
import listing, { defineOptions, type ListingOptions, type ListingTables } from 'fastify-assessment-payment-listing'

interface DB {
  members: { id: number; boss: number | null; name: string; mail: string; level: number }
  clients: { coach_id: number; id: number }
}
declare const db: Kysely<DB>
declare const pool: MysqlPool
declare const members: { find(sub: unknown): Promise<
  { id: number; role: string; roles: string[]; parentId: number; school: number } | undefined
> }
const resolveRole = () => null
`
const file = (options: string) => `${context}export const options = defineOptions({ ${options} })`
const registration = (options: string) => `${context}Fastify().register(listing, { ${options} })`

const missing = (property: string, type: string, of: string) =>
  `Property '${property}' is missing in type '${type}' but required in type '${of}'.`

/** Options with one mistake each, and what the compiler's message ends with. */
const mistakes: [options: string, end: string][] = [
  ['resolveRole', "Property 'db' is missing in type '{ resolveRole: () => null; }'"],
  ['db', "Property 'resolveRole' is missing in type '{ db: Kysely<DB>; }'"],
  [
    'db: async () => db, resolveRole',
    "Type 'Promise<Kysely<DB>>' is missing the following properties from type 'KyselyInstance': isTransaction, getExecutor, destroy"
  ],
  ['db, resolveRole, maxLimits: 50', "'maxLimits' does not exist in type"],
  ["db, resolveRole, maxLimit: '50'", "Type 'string' is not assignable to type 'number'."],
  [
    "db, resolveRole, checkOnReady: 'warning'",
    'Type \'"warning"\' is not assignable to type \'"error" | "warn" | "off" | undefined\'.'
  ],
  [
    "db, resolveRole, roles: { assessments: { Auditor: 'every' } }",
    'Type \'"every"\' is not assignable to type \'"own" | "linked" | "all" | "none" | '
  ],
  ["db, resolveRole, messages: { unauthorised: 'No.' }", "Did you mean to write 'unauthorized'?"],
  [
    "db, resolveRole: () => ({ id: 1, role: 'Admin' })",
    missing('userId', '{ id: number; role: string; }', 'ListingCaller')
  ],
  [
    "db, resolveRole, tables: (db: Kysely<DB>) => ({ links: db.selectFrom('clients').select('id as user_id') })",
    missing('owner_id', '{ user_id: number; }', 'LinkColumns')
  ],
  [
    "db, resolveRole, tables: { users: db.selectFrom('members').select(['id as user_id', 'mail as email']) }",
    "Type '{ user_id: number; email: string; }' is missing the following properties from type 'UserColumns': first_name, last_name, avatar_url"
  ],
  [
    "db, resolveRole, tables: { links: db.selectFrom('members').select(['boss as owner_id', 'id as user_id']) }",
    "Types of property 'owner_id' are incompatible. Type 'number | null' is not assignable to type 'string | number | bigint'. Type 'null' is not assignable to type 'string | number | bigint'."
  ],
  [
    "db, resolveRole, tables: { memberships: db.selectFrom('members').select(['id as user_id', 'level as org_name']) }",
    "Types of property 'org_name' are incompatible. Type 'number' is not assignable to type 'string'."
  ]
]

/** The mistakes in names of the lists, which `app.register` does not know. */
const namesOfLists: [options: string, end: string][] = [
  ["db, resolveRole, roles: { assessment: { Auditor: 'all' } }", "Did you mean to write 'assessments'?"],
  ["db, resolveRole, tables: { user: 'members' }", "'user' does not exist in type"],
  ["db, resolveRole, messages: { paymentFound: 'Yes.' }", "Did you mean to write 'paymentsFound'?"]
]

const notAssignable = (value: string, type = '') => `Type '"${value}"' is not assignable to type ${type}`
const ids = `'"holder_id" | "coach_id" | "certificate_id"'`

/** The changes of a definition, as `definitionCode` takes them, and a part of the compiler's message. */
const definitions: Record<string, string> = {
  "path: 'certificate/list'": notAssignable('certificate/list', "'`/$"),
  'openapi.operationId: ': "Property 'operationId' is missing in type",
  'filter: {}': "'filter' does not exist in type",
  "columns.score: 'decimal'": "Type 'string' is not assignable to type 'Column'",
  'joined: { links: { note: column.text() } }': "'links' does not exist in type",
  "id: 'id'": notAssignable('id'),
  "owner: 'score'": notAssignable('score', ids.replace(/'$/, " | undefined'")),
  "order: '-title'; filters: ": notAssignable('-title', '\'"expires_at" | "issued_at" | "-'),
  'order: ': "Property 'order' is missing in type",
  "sort: ['users.email']": notAssignable('users.email'),
  "sort: ['done']; columns.done: column.boolean()": notAssignable('done'),
  "fields.name: { column: 5, examples: ['x'] }": "Type 'number' is not assignable to type",
  "fields.name: { column: 'titel', examples: ['x'] }": `Did you mean '"title"'?`,
  "fields.name: { examples: ['x'] }": "Property 'column' is missing in type",
  "fields.owner: { column: 'links.owner_id', examples: ['1'] }": notAssignable('links.owner_id'),
  "fields.coach: { column: 'coach_id' }": `Property 'examples' is missing in type '{ column: "coach_id"; }' but required in type`,
  "search: { examples: ['x'] }": "Property 'columns' is missing in type",
  "search: { columns: ['title'], term: 'lower', examples: ['x'] }":
    "Type 'string' is not assignable to type '(term: string) => string'",
  "search: { columns: ['users.mail'], examples: ['x'] }": notAssignable('users.mail'),
  "search: { columns: ['score'], examples: ['x'] }": notAssignable('score'),
  'filters.level: null': "Type 'null' is not assignable to type",
  'filters.level: { several: true }': "Property 'examples' is missing in type '{ several: true; }'",
  "filters.score: { examples: ['1'] }": "Property 'column' is missing in type",
  "unshown: ['scor']": notAssignable('scor'),
  "filters.named: { column: 'title', range: true }": notAssignable('title', '\'"score" | "expires_at" | "issued_at"\''),
  "roles: { Admin: 'alle' }": notAssignable('alle', "'RoleReach<"),
  "roles: { Coach: [{ own: 'coach_id' }, { linked: 'title', by: 'staff' }] }": notAssignable('title'),
  "roles: { Coach: { own: 'title' } }": notAssignable('title'),
  "extend: { roles: { Admin: 'own' } }": "'roles' does not exist in type",
  "extend: { columns: { currency: column.text() }, fields: { money: { column: 'curency', examples: ['€'] } } }": `Did you mean '"currency"'?`
}

/** Two selects that lack columns, and two that have columns of the wrong kind. */
const selects = `{
  users: db.selectFrom('members').select(['boss as user_id', 'level as first_name']),
  practitioners: db.selectFrom('members').select(['boss as practitioner_id', 'level as first_name', 'level as last_name']),
  memberships: db.selectFrom('members').select(['boss as user_id', 'level as org_name']),
  links: db.selectFrom('clients').select('coach_id as owner_id')
}`
const reasons = [
  "is missing the following properties from type 'UserColumns': last_name, email, avatar_url",
  "Types of property 'practitioner_id' are incompatible.",
  "Types of property 'user_id' are incompatible.",
  "Property 'user_id' is missing in type '{ owner_id: number; }' but required in type 'LinkColumns'."
]

const names = Object.keys(rulesFor(defaultLists))
/** Every option as its own documentation shows it. */
const documented = openEditor({ all: registration(names.map((name) => `${name}: undefined as never`).join()) })
const hovers = new Map(names.map((name) => [name, documented.hover('all', name)]))

const editor = openEditor({
  ...Object.fromEntries(
    [...mistakes, ...namesOfLists].flatMap(([options], place) => [
      [`${place}`, file(options)],
      [`${place}, registered`, registration(options)]
    ])
  ),
  // With `satisfies`, the registration repeats each mistake.
  selects: `${context}const tables = (db: Kysely<DB>): ListingTables => (${selects})
    Fastify().register(listing, { db, resolveRole, tables })`,
  'selects, registered': registration(`db, resolveRole, tables: ${selects}`),
  examples: `${context}export const options = { ${names
    .filter((name) => name !== 'lists')
    .map((name) => hovers.get(name)?.tags.example)
    .join()} } satisfies ListingOptions`,
  lists: `${context}import { payments } from 'fastify-assessment-payment-listing'
    export const options = defineOptions({ db, resolveRole, ${hovers.get('lists')?.tags.example} })`
})

t.test("the compiler's message about a wrong option ends with what is wrong", async (t) => {
  for (const [place, [options, end]] of [...mistakes, ...namesOfLists].entries()) {
    const isKnown = place < mistakes.length
    for (const way of [`${place}`, `${place}, registered`]) {
      const errors = editor.errors(way).map((text) => text.replace(/\s+/g, ' '))
      if (!isKnown && way.endsWith('registered')) t.strictSame(errors, [], `${options}: the boot finds it`)
      else t.ok(errors.length === 1 && errors[0]?.includes(end), `${options}: ${errors}`)
    }
  }
})

t.test("the compiler's message about a definition names the mistake", async (t) => {
  const module = (changes: string) => `
    import { column } from '../src/lists/column.js'
    import { defineList } from '../src/lists/define-list.js'
    export const list = ${definitionCode(changes)}`
  const all = ['', ...Object.keys(definitions)]
  const files = Object.fromEntries(all.map((changes, place) => [place, module(changes)]))
  // One program for all files, without Fastify and Node.js: most of the time goes into declarations of packages.
  const { errors } = openEditor({ jwt: '', ...files }, { types: [] })
  t.strictSame(errors('0'), [])
  for (const [place, [changes, part]] of Object.entries(definitions).entries()) {
    const text = errors(`${place + 1}`).join('\n')
    t.ok(text.includes(part), `${changes}: ${text}`)
    // The first error is the mistake.
    t.notMatch(text, /'examples' does not exist/, changes)
  }
})

t.test('the compiler names every select with a mistake once, and all columns that a select lacks', async (t) => {
  const errors = editor.errors('selects')
  t.equal(errors.length, reasons.length)
  const registered = editor.errors('selects, registered').join()
  for (const [index, reason] of reasons.entries()) {
    t.ok(errors[index]?.includes(reason), String(errors[index]))
    t.ok(registered.includes(reason), registered)
  }
})

for (const [name, { signature, meaning, tags }] of hovers) {
  t.test(`${name} explains itself where the mouse rests on it`, async (t) => {
    t.match(signature, new RegExp(`^\\(property\\) OptionsOf<.*>\\.${name}\\b`, 's'))
    t.match(meaning, /^[A-Z].{40,}\.$/s)
    t.match(tags.example, new RegExp(`^(async )?${name}\\b`))
    if (signature.includes('?:')) t.ok(tags.default, 'what it is when it is left out')
  })
}

const texts = hoverTexts('dist/index.d.ts', 'dist/conformance/index.d.ts')

t.test('every export explains itself, and so does every property that an export leads to', async (t) => {
  for (const name of ['LinkTableColumns.owner_id', 'PaymentPage.data', 'conformance()().callers']) {
    t.ok(texts.has(name), name)
  }
  for (const [name, text] of texts) t.match(text, /^[A-Z0-9`'].+[.:]$/s, name)
})

for (const { openapi, item, query } of defaultLists) {
  for (const [name, { properties }] of Object.entries({
    [`${openapi.name}Item`]: item,
    [`${openapi.name}Query`]: query
  })) {
    t.test(`the fields of ${name} explain themselves in the code of a host`, async (t) => {
      const fields = Object.keys(properties)
      const pattern = fields.map((field, index) => `${field}: _${index}`).join()
      const { hover } = openEditor({
        item: `${context.replace('ListingOptions', name)}export const read = ({ ${pattern} }: ${name}) => undefined`
      })
      for (const field of fields) t.equal(hover('item', field).meaning, texts.get(`${name}.${field}`), field)
    })
  }
}

t.test('the examples of all options compile together', async (t) => {
  t.strictSame(editor.errors('examples'), [])
  t.strictSame(editor.errors('lists'), [])
})
