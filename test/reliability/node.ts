/** Runs the lists in a process of their own, so that its heap has nothing of the clients. */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import jwt from '@fastify/jwt'
import Fastify from 'fastify'
import { createPool, type PoolOptions } from 'mysql2'
import type { Test } from 'tap'
import listing from '../../src/index.js'
import { listen } from '../support/hosts/listening.js'
import { resolveRole, secret } from '../support/hosts/server.js'
import { mysqlOf } from '../support/servers/pools.js'
import { connectionsOf } from '../support/servers/servers.js'
import { heapUsed } from './heap.js'
import { watched, watchedLogger } from './sizes.js'

/** The state of a node. */
type Look = ReturnType<typeof lookAt>

const file = fileURLToPath(import.meta.url)

/** Starts a node, which logs at the level trace and searches its log for secrets. */
export async function startNode(t: Test, pool: PoolOptions) {
  const child = fork(file, [JSON.stringify(pool)], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
  const exit = once(child, 'exit')
  t.teardown(() => child.kill('SIGKILL'))
  const answer = async <Value>(question?: string): Promise<Value> => {
    if (question) child.send(question)
    const ended = exit.then(() => Promise.reject(new Error('The node ended.')))
    const [value] = await Promise.race([once(child, 'message'), ended])
    return value
  }
  return {
    origin: await answer<string>(),
    look: () => answer<Look>('look'),
    /** Closes the server and the pool, and waits for the process to end by itself; false if it does not end. */
    async close() {
      const look = await answer<Look>('close')
      const ended = await Promise.race([exit.then(() => true), sleep(5_000, false, { ref: false })])
      return { look, ended }
    }
  }
}

const lookAt = ({ all, free }: ReturnType<typeof connectionsOf>) => ({
  /** The heap in bytes after a garbage collection. */
  heap: heapUsed(),
  /** The number of connections of the pool, and of free ones. */
  ...{ connections: all, free },
  /** The active resources, without the pipes to the parent. */
  resources: process.getActiveResourcesInfo().filter((name) => !/Pipe|TTY/.test(name)),
  log: { ...watched, leaks: watched.leaks.slice(0, 3) }
})

async function run(options: PoolOptions): Promise<void> {
  const pool = createPool(options)
  const db = mysqlOf(pool)
  const app = Fastify({ logger: watchedLogger })
  app.register(jwt, { secret })
  app.register(listing, { db, resolveRole, timeout: 10_000, checkOnReady: 'off' })
  process.on('message', async (question) => {
    if (question === 'look') return void process.send?.(lookAt(connectionsOf(pool)))
    await app.close()
    await db.destroy()
    // A closed socket disappears in the next turn of the event loop.
    await sleep(100)
    process.send?.(lookAt(connectionsOf(pool)), () => process.disconnect())
  })
  process.send?.((await listen(app)).address)
}

if (process.argv[1] === file) await run(JSON.parse(String(process.argv[2])))
