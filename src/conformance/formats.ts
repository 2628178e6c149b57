/** Checks the fields, the message and the headers of each answer. */
import { Value } from '@sinclair/typebox/value'
import { contentType } from '../lists/schemas.js'
import { fail } from './client.js'
import type { ListUnderTest } from './list-under-test.js'

export async function fieldsHaveTheirFormat(tested: ListUnderTest): Promise<void> {
  const { list, settings, allowed } = tested
  for (const caller of allowed) {
    const { first, pages, found } = await tested.walk(caller)
    for (const { answer } of [first, ...pages]) {
      const wrong = Value.Errors(list.answer, answer.body).First()
      if (wrong) fail(answer, `${wrong.path.slice(1)}: ${wrong.message}, got ${JSON.stringify(wrong.value)}.`)
      const expected = { 'content-type': contentType, 'cache-control': 'private, no-store' }
      for (const [name, value] of Object.entries(expected)) {
        if (answer.headers[name] !== value)
          fail(answer, `expected the header ${name}: ${value}, got ${answer.headers[name]}.`)
      }
      const message = settings.messages[list.texts.found]
      if (answer.body.message !== message)
        fail(answer, `expected the message '${message}', got '${answer.body.message}'.`)
    }
    for (const { id, item, answer } of found) {
      for (const [name, value] of Object.entries(item)) {
        const format = list.fields[name]?.format
        if (typeof value === 'string' && format?.test(value) === false) {
          fail(answer, `${name} of record ${id} is '${value}', expected ${format}.`)
        }
        if (Array.isArray(value) && value.join('\n') !== sorted(value).join('\n')) {
          fail(answer, `${name} of record ${id} has duplicates, or is not in code point order.`)
        }
      }
    }
  }
}

const sorted = (texts: readonly string[]) =>
  [...new Set(texts)].sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)))
