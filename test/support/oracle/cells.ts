/** What a column reads from cells. */
import { Value } from '@sinclair/typebox/value'
import type { Test } from 'tap'
import { UnreadableValue } from '../../../src/kinds/kind.js'
import { type Column, column } from '../../../src/lists/column.js'

const enumOf = (given: object) => column.enum(['completed', 'pending'], given)

/** What makes a column of each kind. */
export const makers = { ...column, enum: enumOf } as Readonly<Record<string, (given?: object) => Column>>

/** Each text with its value, which the schema of the column accepts. */
export function reads(t: Test, column: Column, values: Readonly<Record<string, unknown>>): void {
  for (const [text, value] of Object.entries(values)) {
    t.strictSame(column.read(text), value, `${column.kind} of ${text}`)
    t.ok(Value.Check(column.schema({}), value))
  }
}

/** Texts that the column cannot read. The problem does not contain the text. */
export function refuses(t: Test, column: Column, problem: string, ...texts: (string | null)[]): void {
  for (const text of texts) {
    let error: unknown
    try {
      column.read(text)
    } catch (thrown) {
      error = thrown
    }
    t.type(error, UnreadableValue)
    t.equal(Object(error).message, problem, `${column.kind} of ${JSON.stringify(text)}`)
  }
}
