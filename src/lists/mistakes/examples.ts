/** Finds examples that do not fit. */
import type { TProperties, TSchema } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import type { List } from '../list.js'
import { refuseFor } from './rules.js'

export function checkExamples(list: string, fields: List['fields'], parameters: TProperties): void {
  const refuse = refuseFor(list)
  const check = (what: string, schema: TSchema, format?: RegExp) => {
    const { examples, description: _description, ...rule } = schema as TSchema & { examples?: unknown }
    if (!Array.isArray(examples) || examples.length === 0) return refuse(`${what} needs 'examples', an array`)
    for (const example of examples as unknown[]) {
      if (Value.Check(schema, example) && (typeof example !== 'string' || (format?.test(example) ?? true))) continue
      const form = format ? ` and the form ${format.source}` : ''
      refuse(
        `the example ${JSON.stringify(example)} does not fit ${what}, whose schema is ${JSON.stringify(rule)}${form}`
      )
    }
  }
  for (const [name, { schema, format }] of Object.entries(fields)) check(`field '${name}'`, schema, format)
  for (const [name, schema] of Object.entries(parameters)) check(`parameter '${name}'`, schema)
}
