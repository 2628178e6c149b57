/** Recognizes a pool of mysql2/promise, which ignores Kysely's callback. Kysely then waits for a connection forever. */
import { AsyncLocalStorage } from 'node:async_hooks'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'

/** mysql2 publishes a message when a pool has given a connection, and when a statement starts. */
const [given, started] = ['tracing:mysql2:pool:connect:asyncEnd', 'tracing:mysql2:query:start']

/** Milliseconds for what a host does with a new connection, such as Kysely's `onCreateConnection`. */
const patience = 2_000

/** @returns the result of `ask`, or `otherwise` if the pool gives a connection and no statement follows */
export function unlessPromisePool<Result>(ask: () => Promise<Result>, otherwise: Result): Promise<Result> {
  const asking = new AsyncLocalStorage<boolean>()
  let timer: NodeJS.Timeout | undefined
  return new Promise((resolve, reject) => {
    const onGiven = () => {
      if (asking.getStore()) timer ??= setTimeout(resolve, patience, otherwise)
    }
    const onStarted = () => {
      if (asking.getStore()) clearTimeout(timer)
    }
    subscribe(given, onGiven)
    subscribe(started, onStarted)
    asking
      .run(true, ask)
      .then(resolve, reject)
      .finally(() => {
        clearTimeout(timer)
        unsubscribe(given, onGiven)
        unsubscribe(started, onStarted)
        // Node.js 20 would keep the storage, and would follow every promise of the process.
        asking.disable()
      })
  })
}
