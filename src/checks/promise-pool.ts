/** Recognizes a pool of mysql2/promise, which ignores Kysely's callback. Kysely then waits for a connection forever. */
import { AsyncLocalStorage } from 'node:async_hooks'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'

/** mysql2 publishes a message when a pool is asked for a connection, inside of that call. */
const channel = 'tracing:mysql2:pool:connect:start'

/** Kysely's driver asks the pool itself. A function that wraps the pool would have a line between the first two. */
const misuse =
  /PromisePool\.getConnection .*\n +at [^(\n]+\n +at new Promise .*\n +at #acquireConnection .*\n +at MysqlDriver\./

/** @returns the result of `ask`, or `otherwise` as soon as `ask` wants a connection of such a pool */
export function unlessPromisePool<Result>(ask: () => Promise<Result>, otherwise: Result): Promise<Result> {
  const asking = new AsyncLocalStorage<boolean>()
  return new Promise((resolve, reject) => {
    const onConnect = () => {
      if (asking.getStore() && misuse.test(stack())) resolve(otherwise)
    }
    subscribe(channel, onConnect)
    asking
      .run(true, ask)
      .then(resolve, reject)
      .finally(() => {
        unsubscribe(channel, onConnect)
        // Node.js 20 would keep the storage, and would follow every promise of the process.
        asking.disable()
      })
  })
}

function stack(): string {
  const { stackTraceLimit } = Error
  Error.stackTraceLimit = 50
  const { stack = '' } = new Error()
  Error.stackTraceLimit = stackTraceLimit
  return stack
}
