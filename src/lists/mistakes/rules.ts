/** A small language for what a host may write: rules for values, and the words for a wrong value. */
import { InvalidOption } from '../../errors/boot-error.js'
import { describe, hintFor } from '../../errors/describe.js'

export interface Rule {
  readonly expected: string
  /** Describes a wrong value. */
  readonly wrong: Wrong
}

export type Wrong = (value: unknown) => string | undefined

export const rule = (expected: string, isRight: (value: unknown) => boolean): Rule => ({
  expected,
  wrong: (value) => (isRight(value) ? undefined : describe(value))
})

export const text = (expected: string, form = /./): Rule =>
  rule(expected, (value) => typeof value === 'string' && form.test(value))

/** Objects have members such as `constructor` already. */
const ofEveryObject = Object.getOwnPropertyNames(Object.prototype)
export const wordExcept = (...names: string[]) =>
  new RegExp(`^(?!(${[...ofEveryObject, ...names].join('|')})$)[A-Za-z_][\\w-]*$`)

/** The end of a message about a name that is unknown: `(did you mean 'title'?); there are title, level`. */
export const thereAre = (known: readonly string[], name: string): string =>
  `${hintFor(name, known)}; there are ${known.join(', ')}`

export const twiceIn = (names: readonly string[]): string | undefined =>
  names.find((name, place) => names.indexOf(name) !== place)

export type Refuse = (problem: string) => never

/** Throws a TypeError that names the list. */
export const refuseFor =
  (list: unknown): Refuse =>
  (problem) => {
    throw new InvalidOption(`List '${list}': ${problem}.`)
  }

export function mustBe(refuse: Refuse, what: string, { expected, wrong }: Rule, value: unknown): void {
  const problem = wrong(value)
  if (problem) refuse(`${what} must be ${expected}, and is ${problem}`)
}
