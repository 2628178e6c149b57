/** The compiler's messages for mistakes in the definition of a list, and the properties of a correct list. */
import t from 'tap'
import { assessments } from '../../src/lists/assessments.js'
import type { Field } from '../../src/lists/list.js'
import { payments } from '../../src/lists/payments.js'
import { openEditor } from '../support/editor.js'

/** A definition of the payments with some changed lines. */
const definition = (changes: Record<string, string> = {}): string => {
  const lines: Record<string, string> = {
    name: "'payments'",
    path: "'/payment/list'",
    key: "'data'",
    openapi: "{ name: 'Payment', operationId: 'listPayments', summary: 'List payments', description: 'The payments.' }",
    columns: `{ payment_id: column.id(), user_id: column.id(), amount: column.decimal(), payment_intent: column.text(),
      processor_status: column.text(), created_at: column.wallTime({ whenNull: 'error' }) }`,
    id: "'payment_id'",
    owner: "'user_id'",
    newest: "'created_at'",
    fields: "{ payment_id: { examples: [''] }, email: { column: 'users.email', examples: [''] } }",
    search: "{ columns: ['payment_intent', 'users.email'], examples: [''] }",
    filters: "{ processor_status: { examples: [''] } }",
    roles: "{ Admin: 'all' }",
    otherRoles: "'own'",
    ...changes
  }
  return `
import { column } from '../src/lists/columns.js'
import { defineList } from '../src/lists/define-list.js'
export const list = defineList({
${Object.entries(lines)
  .map(([name, value]) => `  ${name}: ${value}`)
  .join(',\n')}
})`
}

/** Mistakes, each with a part of the compiler's message. */
const mistakes: Record<string, [changes: Record<string, string>, message: RegExp]> = {
  'a key that every answer has already': [
    { key: "'total'" },
    /Type '"total"' is not assignable to type '"'total' is a key of every answer already"'\./
  ],
  'an id that is no column': [{ id: "'id'" }, /Property 'id' is missing in type/],
  'an owner that holds no ids': [
    { owner: "'amount'" },
    /Type '"amount"' is not assignable to type 'NamesOf<.*, "id">'/
  ],
  'an order by a column that is no time': [
    { newest: "'payment_intent'" },
    /Type '"payment_intent"' is not assignable to type '"created_at"'/
  ],
  'a search in a column that the list does not have': [
    { search: "{ columns: ['titel', 'users.email'], examples: [''] }" },
    /Type '"titel"' is not assignable to type 'SearchColumn</
  ],
  'a search in a column that the users do not have': [
    { search: "{ columns: ['users.mail'], examples: [''] }" },
    /Type '"users.mail"' is not assignable to type .*"users.email"/
  ],
  'a search in a column that is no text': [
    { search: "{ columns: ['amount', 'users.email'], examples: [''] }" },
    /Type '"amount"' is not assignable to type 'SearchColumn</
  ],
  'a filter on a column that the list does not have': [
    { filters: "{ status: { column: 'staus', examples: [''] } }" },
    /Type '"staus"' is not assignable to type .*"processor_status"/
  ],
  'a filter that is named after no column': [
    { filters: "{ staus: { examples: [''] } }" },
    /Property 'column' is missing in type '\{ examples: \[""\]; \}' but required in type/
  ],
  'a filter on a column of numbers': [
    { filters: "{ amount: { examples: [''] } }" },
    /Property 'column' is missing in type '\{ examples: \[""\]; \}' but required in type/
  ],
  'a field of another list’s column': [
    { fields: "{ payment_id: { examples: [''] }, licence: { examples: [''] } }" },
    /Property 'column' is missing in type '\{ examples: \[""\]; \}' but required in type/
  ],
  'a field of a table that lists do not join': [
    { fields: "{ payment_id: { examples: [''] }, owner: { column: 'links.owner_id', examples: [''] } }" },
    /Type '"links.owner_id"' is not assignable to type/
  ],
  'no field of the record’s id': [
    { fields: "{ email: { column: 'users.email', examples: [''] } }" },
    /Property 'payment_id' is missing in type/
  ],
  'the record’s id from another column': [
    { fields: "{ payment_id: { column: 'user_id', examples: [''] } }" },
    /is not assignable to type 'never'\./
  ],
  'a field without an example for the OpenAPI document': [
    { fields: '{ payment_id: {} }' },
    /Property 'examples' is missing in type '\{\}' but required in type/
  ],
  'the texts of the other list': [
    { texts: "{ found: 'assessmentsFound', forbidden: 'assessmentsForbidden' }" },
    /'texts' does not exist in type 'Definition<"payments"/
  ],
  'joins beside those of the fields': [{ joins: '{}' }, /'joins' does not exist in type 'Definition<"payments"/],
  'a reach that does not exist': [{ roles: "{ Admin: 'every' }" }, /Type '"every"' is not assignable to type 'Reach'\./]
}

t.test('a mistake in a list does not compile, and the message names it', async (t) => {
  const names = Object.keys(mistakes)
  const editor = openEditor({
    right: definition(),
    ...Object.fromEntries(names.map((name, place) => [`mistake${place}`, definition(mistakes[name]?.[0])]))
  })
  t.strictSame(editor.errors('right'), [])
  for (const [place, name] of names.entries()) {
    const errors = editor.errors(`mistake${place}`)
    t.match(errors.join('\n'), mistakes[name]?.[1], name)
  }
})

t.test('the definition of a list decides its joins, texts and schemas', (t) => {
  t.strictSame(assessments.joins, { u: 'users', p: 'practitioners', m: 'memberships' })
  t.strictSame(payments.joins, { u: 'users' })
  t.strictSame(Object.keys(payments.answer.properties), ['status', 'message', 'page', 'limit', 'total', 'data'])
  t.strictSame(Object.keys(payments.item.properties), Object.keys(payments.fields))
  t.end()
})

t.test('a list of texts has each text once, in code point order, without nulls', (t) => {
  const { org_names } = assessments.fields
  const cases: [rows: [string | null, ...(string | null)[]], texts: string[]][] = [
    [[null], []],
    [[null, null], []],
    [['Acme'], ['Acme']],
    [
      ['Zenith', 'Acme', 'Zenith'],
      ['Acme', 'Zenith']
    ],
    [
      ['b', null, 'a'],
      ['a', 'b']
    ],
    [
      ['acme', 'Acme', 'ACME'],
      ['ACME', 'Acme', 'acme']
    ],
    [
      ['é', 'z', 'a', 'Z'],
      ['Z', 'a', 'z', 'é']
    ],
    [
      ['10', '9', '1'],
      ['1', '10', '9']
    ],
    // In UTF-16 order, the emoji would come before the fullwidth letter.
    [
      ['😀', 'Ａ', '\ue000'],
      ['\ue000', 'Ａ', '😀']
    ]
  ]
  for (const [rows, texts] of cases) {
    const given = [...rows]
    t.strictSame(
      org_names?.read(rows[0], () => rows),
      texts,
      JSON.stringify(rows)
    )
    t.strictSame(rows, given, 'the rows are unchanged')
  }
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
