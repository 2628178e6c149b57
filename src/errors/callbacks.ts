/** Marks what a callback of the host throws, so that the log names the callback. */
import { describe } from './describe.js'

export type Callback = 'authenticate' | 'resolveRole' | 'db' | 'tables' | 'term'

/** Error objects stay as they are, because the host's `onError` hooks get them. */
const callbacks = new WeakMap<object, Callback>()

/** @returns undefined for an error of the plugin or of a driver */
export const callbackOf = (error: unknown): Callback | undefined => callbacks.get(Object(error))

/** Marks a thrown value. A value that is no object becomes an Error. */
export function thrownBy(callback: Callback, thrown: unknown): Error {
  const error = Object(thrown) === thrown ? (thrown as Error) : new Error(`${callback} threw ${describe(thrown)}.`)
  callbacks.set(error, callback)
  return error
}

export const isThenable = (value: unknown): value is PromiseLike<unknown> => typeof Object(value).then === 'function'

/** Calls a callback that must not be async. What the callback throws is marked. */
export function callHost<Result>(callback: Callback, run: () => Result): Result {
  try {
    const result = run()
    // The caller refuses the promise. Its rejection must not end the process.
    if (isThenable(result)) result.then(undefined, () => undefined)
    return result
  } catch (thrown) {
    throw thrownBy(callback, thrown)
  }
}
