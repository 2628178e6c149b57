/** The compiler's messages for mistakes in the definition of a list, and the properties of a correct list. */
import t from 'tap'
import { assessments } from '../../src/lists/assessments.js'
import { payments } from '../../src/lists/payments.js'
import { openEditor } from '../support/editor.js'

/** A definition of the payments with some changed lines. */
const definition = (changes: Record<string, string> = {}): string => {
  const lines: Record<string, string> = {
    path: "'/payment/list'",
    operationId: "'listPayments'",
    summary: "'List payments'",
    description: "'The payments.'",
    key: "'data'",
    parameters: '{ search: Type.String(), processor_status: Type.String() }',
    fields: "{ payment_id: id('r.payment_id', { examples: [''] }), email: text('u.email', { examples: [''] }) }",
    roles: "{ Admin: 'all' }",
    otherRoles: "'own'",
    search: "{ records: ['payment_intent'], users: ['email'] }",
    filters: "{ processor_status: 'processor_status' }",
    ...changes
  }
  return `
import { Type } from '@sinclair/typebox'
import { id, oneOf, text } from '../src/lists/fields.js'
import { defineList } from '../src/lists/list.js'
export const list = defineList('payments', 'Payment', {
${Object.entries(lines)
  .map(([name, value]) => `  ${name}: ${value}`)
  .join(',\n')}
})`
}

/** Mistakes, each with the end of the compiler's message. */
const mistakes: Record<string, [changes: Record<string, string>, message: RegExp]> = {
  'a key that every answer has already': [
    { key: "'total'" },
    /Type '"total"' is not assignable to type '"'total' is a key of every answer already"'\./
  ],
  'a search in a column that the records do not have': [
    { search: "{ records: ['titel'], users: ['email'] }" },
    /Type '"titel"' is not assignable to type .*"payment_intent"/
  ],
  'a search in a column that the users do not have': [
    { search: "{ records: [], users: ['mail'] }" },
    /Type '"mail"' is not assignable to type .*"email"/
  ],
  'a filter on a column that the records do not have': [
    { filters: "{ processor_status: 'staus' }" },
    /Type '"staus"' is not assignable to type .*"processor_status"/
  ],
  'a parameter without its filter': [
    { filters: '{}' },
    /Property 'processor_status' is missing in type '\{\}' but required in type/
  ],
  'a filter that is no parameter': [
    { filters: "{ processor_status: 'processor_status', staus: 'payment_status' }" },
    /'staus' does not exist in type/
  ],
  'a field of another list’s column': [
    {
      fields: "{ payment_id: id('r.payment_id', { examples: [''] }), licence: text('r.licence', { examples: [''] }) }"
    },
    /Type '"r.licence"' is not assignable to type 'ColumnOf<"payments">'\./
  ],
  'a field of a table that lists do not join': [
    { fields: "{ payment_id: id('r.payment_id', { examples: [''] }), owner: text('l.owner_id', { examples: [''] }) }" },
    /Type '"l.owner_id"' is not assignable to type/
  ],
  'no field of the record’s id': [
    { fields: "{ email: text('u.email', { examples: [''] }) }" },
    /Property 'payment_id' is missing in type/
  ],
  'the record’s id from another column': [
    { fields: "{ payment_id: id('r.user_id', { examples: [''] }) }" },
    /Type '"r.user_id"' is not assignable to type '"r.payment_id"'\./
  ],
  'a field without an example for the OpenAPI document': [
    { fields: "{ payment_id: id('r.payment_id', {}) }" },
    /Property 'examples' is missing in type '\{\}' but required in type 'FieldOptions'\./
  ],
  'a search in no column of the users': [
    { search: "{ records: ['payment_intent'], users: [] }" },
    /Source has 0 element\(s\) but target requires 1\./
  ],
  'a closed set in a column of another table': [
    {
      fields:
        "{ payment_id: id('r.payment_id', { examples: [''] }), name: oneOf('u.first_name', ['Ada'], { examples: [''] }) }"
    },
    /Argument of type '"u.first_name"' is not assignable to parameter of type '`r.\$\{string\}`'\./
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
  t.strictSame(assessments.texts, { found: 'assessmentsFound', forbidden: 'assessmentsForbidden' })
  t.strictSame(payments.texts, { found: 'paymentsFound', forbidden: 'paymentsForbidden' })
  t.strictSame(Object.keys(payments.answer.properties), ['status', 'message', 'page', 'limit', 'total', 'data'])
  t.strictSame(Object.keys(payments.item.properties), Object.keys(payments.fields))
  t.end()
})
