/** How a mistake is told. */
import { InvalidOption } from '../../errors/boot-error.js'

export type Refuse = (problem: string) => never

/** Throws a TypeError that names the list. */
export const refuseFor =
  (list: unknown): Refuse =>
  (problem) => {
    throw new InvalidOption(`List '${list}': ${problem}.`)
  }

/** Objects have members such as `constructor` already. */
const ofEveryObject = Object.getOwnPropertyNames(Object.prototype)
export const wordExcept = (...names: string[]) =>
  new RegExp(`^(?!(${[...ofEveryObject, ...names].join('|')})$)[A-Za-z_][\\w-]*$`)
