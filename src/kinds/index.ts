/** The table of kinds. Another kind is one more object, a line here, and its function in `column`. */
import type { KindRules, Use } from './kind.js'
import { boolean, decimal, integer } from './numbers.js'
import { enumOf, id, text } from './texts.js'
import { date, utcTime, wallTime } from './times.js'

const kinds = [text, enumOf([]), id, boolean, utcTime, wallTime, date, decimal, integer] as const

type Kinds = (typeof kinds)[number]

/** Decides the cells of the host's table, the value in an item, and what the start-up check asks. */
export type Kind = Kinds['name']

/** The kinds whose columns a property of the definition, or a way to filter, may name. */
export type KindFor<Of extends Use> = Kinds extends infer Each
  ? Each extends KindRules<infer Name, unknown, infer _, infer Used>
    ? Of extends Used
      ? Name
      : never
    : never
  : never

/** @internal */
export const kindsFor = (use: Use): Kind[] => [
  ...new Set((kinds as readonly KindRules[]).filter(({ uses }) => uses.includes(use)).map(({ name }) => name as Kind))
]
