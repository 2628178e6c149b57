/** Checks the fields, the message and the headers of each answer. */
import { Value } from '@sinclair/typebox/value'
import { contentType } from '../http/answers.js'
import { distinctTexts } from '../lists/columns.js'
import { fail, requireHeader } from './client.js'
import type { ListUnderTest } from './list-under-test.js'

export async function fieldsHaveTheirFormat(tested: ListUnderTest): Promise<void> {
  const { list } = tested
  for await (const { first, pages, found } of tested.walks()) {
    for (const { answer } of [first, ...pages]) {
      const wrong = Value.Errors(list.page, answer.body).First()
      if (wrong) fail(answer, `${wrong.path.slice(1)}: ${wrong.message}, got ${JSON.stringify(wrong.value)}.`)
      requireHeader(answer, 'content-type', contentType)
      requireHeader(answer, 'cache-control', 'private, no-store')
      const expected = list.found
      const { message } = answer.body
      if (message !== expected) fail(answer, `expected the message '${expected}', got '${message}'.`)
    }
    for (const { id, item, answer } of found) {
      for (const [name, value] of Object.entries(item)) {
        const format = list.fields[name]?.format
        if (typeof value === 'string' && format?.test(value) === false) {
          fail(answer, `${name} of record ${id} is '${value}', expected ${format}.`)
        }
        if (Array.isArray(value) && value.join('\n') !== distinctTexts(value).join('\n')) {
          fail(answer, `${name} of record ${id} has duplicates, or is not in code point order.`)
        }
      }
    }
  }
}
