/** What the author of a host sees in an editor: what the compiler says of mistakes, and what an option explains of itself. */
import t from 'tap'
import { AssessmentItem } from '../src/lists/assessments.js'
import { defaultLists } from '../src/lists/index.js'
import { PaymentItem } from '../src/lists/payments.js'
import { rulesFor } from '../src/options/rules.js'
import { hoverTexts, openEditor } from './support/editor.js'

const context = `
import Fastify, { type FastifyRequest } from 'fastify'
import { Kysely, MysqlDialect, type MysqlPool } from 'kysely'
import listing, { type ListingOptions, type ListingTables } from 'fastify-assessment-payment-listing'

interface DB {
  members: { id: number; boss: number | null; name: string; mail: string; level: number }
  clients: { coach_id: number; id: number }
}
declare const db: Kysely<DB>
declare const pool: MysqlPool
declare const members: { find(sub: unknown): Promise<{ id: number; role: string } | undefined> }
const resolveRole = () => null
`
const file = (options: string) => `${context}export const options = { ${options} } satisfies ListingOptions`
const registration = (options: string) => `${context}Fastify().register(listing, { ${options} })`

/** Options with one mistake each, and what the compiler's message ends with. */
const mistakes: [name: string, options: string, end: string][] = [
  [
    'no db',
    'resolveRole',
    "Property 'db' is missing in type '{ resolveRole: () => null; }' but required in type 'ListingOptions<KyselyInstance>'."
  ],
  [
    'no resolveRole',
    'db',
    "Property 'resolveRole' is missing in type '{ db: Kysely<DB>; }' but required in type 'ListingOptions<KyselyInstance>'."
  ],
  [
    'an async db',
    'db: async () => db, resolveRole',
    `is not assignable to type '"The function db must not be async: look the tenant up in authenticate."'.`
  ],
  ['an option that does not exist', 'db, resolveRole, maxLimits: 50', "'maxLimits' does not exist in type"],
  ['a number as text', "db, resolveRole, maxLimit: '50'", "Type 'string' is not assignable to type 'number'."],
  [
    'a choice that does not exist',
    "db, resolveRole, checkOnReady: 'warning'",
    'Type \'"warning"\' is not assignable to type \'"error" | "warn" | "off" | undefined\'.'
  ],
  [
    'a reach that does not exist',
    "db, resolveRole, visibility: { assessments: { Auditor: 'every' } }",
    'Type \'"every"\' is not assignable to type \'"own" | "linked" | "all" | "none" | { readonly own: "user_id" | "practitioner_id"; }\'.'
  ],
  [
    'a list that does not exist',
    "db, resolveRole, visibility: { assessment: { Auditor: 'all' } }",
    "Did you mean to write 'assessments'?"
  ],
  [
    'a message that does not exist',
    "db, resolveRole, messages: { unauthorised: 'No.' }",
    "Did you mean to write 'unauthorized'?"
  ],
  [
    'another name for userId',
    "db, resolveRole: () => ({ id: 1, role: 'Admin' })",
    "Property 'userId' is missing in type '{ id: number; role: string; }' but required in type 'ListingCaller'."
  ],
  [
    'a table that does not exist',
    "db, resolveRole, tables: { user: 'members' }",
    "'user' does not exist in type 'ListingTables | GetTables<KyselyInstance>'."
  ],
  [
    'a function for the tables without a type',
    "db, resolveRole, tables: (db) => ({ links: db.selectFrom('clients') })",
    `Type 'NotCallable<"Write the type of your instance: tables: (db: Kysely<DB>) => …">' has no call signatures.`
  ],
  [
    'a missing column that a function makes',
    "db, resolveRole, tables: (db: Kysely<DB>) => ({ links: db.selectFrom('clients').select('id as user_id') })",
    "Property 'owner_id' is missing in type '{ user_id: number; }' but required in type 'LinkColumns'."
  ],
  [
    'a missing column',
    "db, resolveRole, tables: { links: db.selectFrom('clients').select('coach_id as owner_id') }",
    "Property 'user_id' is missing in type '{ owner_id: number; }' but required in type 'LinkColumns'."
  ],
  [
    'missing columns',
    "db, resolveRole, tables: { users: db.selectFrom('members').select(['id as user_id', 'mail as email']) }",
    "Type '{ user_id: number; email: string; }' is missing the following properties from type 'UserColumns': first_name, last_name, avatar_url"
  ],
  [
    'a column that may be null',
    "db, resolveRole, tables: { links: db.selectFrom('members').select(['boss as owner_id', 'id as user_id']) }",
    `Types of property 'owner_id' are incompatible. Type 'number | null' is not assignable to type 'string | number | bigint'. Type 'null' is not assignable to type 'string | number | bigint'.`
  ],
  [
    'a column of the wrong kind',
    "db, resolveRole, tables: { memberships: db.selectFrom('members').select(['id as user_id', 'level as org_name']) }",
    "Types of property 'org_name' are incompatible. Type 'number' is not assignable to type 'string'."
  ]
]

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
    mistakes.flatMap(([name, options]) => [
      [name, file(options)],
      [`${name}, registered`, registration(options)]
    ])
  ),
  // With `satisfies`, the registration repeats each mistake.
  selects: `${context}const tables = (db: Kysely<DB>): ListingTables => (${selects})
    Fastify().register(listing, { db, resolveRole, tables })`,
  'selects, registered': registration(`db, resolveRole, tables: ${selects}`),
  examples: file(
    names
      .filter((name) => name !== 'lists')
      .map((name) => hovers.get(name)?.tags.example)
      .join()
  ),
  lists: `${context}import { defineOptions, payments } from 'fastify-assessment-payment-listing'
    export const options = defineOptions({ db, resolveRole, ${hovers.get('lists')?.tags.example} })`
})

for (const [name, , end] of mistakes) {
  t.test(`the compiler's message about ${name} ends with what is wrong`, async (t) => {
    for (const way of [name, `${name}, registered`]) {
      const errors = editor.errors(way).map((text) => text.replace(/\s+/g, ' '))
      t.equal(errors.length, 1, way)
      t.ok(errors[0]?.includes(end), String(errors[0]))
    }
  })
}

t.test(
  "the compiler's messages name every select with a mistake once, and all columns that a select lacks",
  async (t) => {
    const errors = editor.errors('selects')
    t.equal(errors.length, reasons.length)
    const registered = editor.errors('selects, registered').join()
    for (const [index, reason] of reasons.entries()) {
      t.ok(errors[index]?.includes(reason), String(errors[index]))
      t.ok(registered.includes(reason), registered)
    }
  }
)

for (const [name, { signature, meaning, tags }] of hovers) {
  t.test(`${name} explains itself where the mouse rests on it`, async (t) => {
    t.match(signature, `(property) ListingOptions<KyselyInstance>.${name}`)
    t.match(meaning, /^[A-Z].{40,}\.$/s)
    t.match(tags.example, new RegExp(`^(async )?${name}\\b`))
    if (signature.includes('?:')) t.ok(tags.default, 'what it is when it is left out')
  })
}

const texts = hoverTexts('dist/index.d.ts', 'dist/conformance/index.d.ts')

t.test('every export explains itself, and so does every property that an export leads to', async (t) => {
  for (const name of ['LinkColumns.owner_id', 'PaymentPage.data', 'conformance()().callers']) {
    t.ok(texts.has(name), name)
  }
  for (const [name, text] of texts) t.match(text, /^[A-Z0-9`'].+[.:]$/s, name)
})

for (const [name, { properties }] of Object.entries({ AssessmentItem, PaymentItem })) {
  t.test(`the fields of ${name} explain themselves in the code of a host`, async (t) => {
    const fields = Object.keys(properties)
    const pattern = fields.map((field, index) => `${field}: _${index}`).join()
    const { hover } = openEditor({
      item: `${context.replace('ListingOptions', name)}export const read = ({ ${pattern} }: ${name}) => undefined`
    })
    for (const field of fields) t.equal(hover('item', field).meaning, texts.get(`${name}.${field}`) ?? field)
  })
}

t.test('the examples of all options compile together', async (t) => {
  t.strictSame(editor.errors('examples'), [])
  t.strictSame(editor.errors('lists'), [])
})
