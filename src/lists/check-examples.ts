/** Finds examples that do not fit. */
import type { TProperties, TSchema } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { refuseFor } from './check-shape.js'
import type { Fields } from './list.js'

/** @throws TypeError for an example that does not fit its field or its parameter */
export function checkExamples(list: string, fields: Fields, parameters: TProperties): void {
  const refuse = refuseFor(list)
  const check = (what: string, schema: TSchema, format?: RegExp) => {
    const { examples }: { examples?: unknown } = schema
    if (!Array.isArray(examples) || examples.length === 0) refuse(`${what} needs 'examples', an array`)
    for (const example of examples as unknown[]) {
      const fits = Value.Check(schema, example) && (typeof example !== 'string' || (format?.test(example) ?? true))
      if (!fits) {
        const { examples: _examples, description: _description, ...rule } = schema
        const form = format ? ` and the form ${format.source}` : ''
        refuse(
          `the example ${JSON.stringify(example)} does not fit ${what}, whose schema is ${JSON.stringify(rule)}${form}`
        )
      }
    }
  }
  for (const [name, { schema, format }] of Object.entries(fields)) check(`field '${name}'`, schema, format)
  for (const [name, schema] of Object.entries(parameters)) check(`parameter '${name}'`, schema)
}
