/** Marks what a callback of the host throws, so that the log names the callback. */
import { describe } from './describe.js'

export type Callback = 'authenticate' | 'resolveRole' | 'db' | 'tables'

/** Error objects stay as they are, because the host's `onError` hooks get them. */
const callbacks = new WeakMap<object, Callback>()

/** @returns undefined for an error of the plugin or of a driver */
export const callbackOf = (error: unknown): Callback | undefined => callbacks.get(Object(error))

/** Marks a thrown value. A value that is no object becomes an Error. */
export function thrownBy(callback: Callback, thrown: unknown): object {
  const error = Object(thrown) === thrown ? (thrown as object) : new Error(`${callback} threw ${describe(thrown)}.`)
  callbacks.set(error, callback)
  return error
}

/** Calls a callback. What the callback throws, or rejects with, is marked. */
export function call<Result>(callback: Callback, run: () => Result): Result {
  const fail = (thrown: unknown): never => {
    throw thrownBy(callback, thrown)
  }
  try {
    const result = run()
    return result instanceof Promise ? (result.catch(fail) as Result) : result
  } catch (thrown) {
    return fail(thrown)
  }
}
