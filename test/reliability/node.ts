/** A node runs the lists in their own process, so that the clients do not slow down the server. */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import jwt from '@fastify/jwt'
import Fastify from 'fastify'
import { createPool, type PoolOptions } from 'mysql2'
import type { Test } from 'tap'
import listing from '../../src/index.js'
import { listen } from '../support/listening.js'
import { resolveRole, secret } from '../support/server.js'
import { connectionsOf, mysqlOf } from '../support/servers.js'
import { heapUsed } from './heap.js'
import { watched, watchedLogger } from './watched-log.js'

interface Settings {
  pool: PoolOptions
  timeout: number
  /** Whether the node logs at the level trace and searches the log for secrets. This doubles the time of a request. */
  isLogged?: boolean
}

/** The state of a node. */
export interface Look {
  /** The heap in bytes after a garbage collection. */
  heap: number
  /** The number of connections of the pool, and of free ones. */
  connections: number
  free: number
  /** The active resources, without the pipes to the parent. */
  resources: string[]
  log: typeof watched
}

export interface ListsNode {
  origin: string
  look(): Promise<Look>
  /** Closes the server and the pool, and waits for the process to end by itself; false if it does not end. */
  close(): Promise<{ look: Look; ended: boolean }>
  kill(): Promise<unknown>
}

/** The number of nodes of this test, and the number of nodes that crashed. */
export const nodes = { started: 0, crashed: 0 }

const file = fileURLToPath(import.meta.url)

export async function startNode(t: Test, settings: Settings): Promise<ListsNode> {
  const child = fork(file, [JSON.stringify(settings)], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
  const exit = once(child, 'exit')
  nodes.started++
  let ending = false
  // An error of the child process is told by `answer` and `kill`.
  const onExit = () => {
    if (!ending) nodes.crashed++
  }
  exit.then(onExit, () => undefined)
  const kill = () => {
    ending = true
    child.kill('SIGKILL')
    return exit
  }
  t.teardown(kill)
  const answer = async <Value>(question?: string): Promise<Value> => {
    if (question) child.send(question)
    const ended = exit.then(() => Promise.reject(new Error('The node ended.')))
    const [value] = await Promise.race([once(child, 'message'), ended])
    return value
  }
  return {
    origin: await answer<string>(),
    look: () => answer<Look>('look'),
    async close() {
      ending = true
      const look = await answer<Look>('close')
      const ended = await Promise.race([exit.then(() => true), sleep(5_000, false, { ref: false })])
      return { look, ended }
    },
    kill
  }
}

async function run({ pool: options, timeout, isLogged }: Settings): Promise<void> {
  const pool = createPool(options)
  const db = mysqlOf(pool)
  const app = Fastify(isLogged ? { logger: watchedLogger } : {})
  app.register(jwt, { secret })
  app.register(listing, { db, resolveRole, timeout, checkOnReady: 'off' })
  const look = (): Look => {
    const { all: connections, free } = connectionsOf(pool)
    const resources = process.getActiveResourcesInfo().filter((name) => !/Pipe|TTY/.test(name))
    return { heap: heapUsed(), connections, free, resources, log: { ...watched, leaks: watched.leaks.slice(0, 3) } }
  }
  process.on('message', async (question) => {
    if (question === 'look') return void process.send?.(look())
    await app.close()
    await db.destroy()
    // A closed socket disappears in the next turn of the event loop.
    await sleep(100)
    process.send?.(look(), () => process.disconnect())
  })
  process.send?.((await listen(app)).address)
}

if (process.argv[1] === file) await run(JSON.parse(String(process.argv[2])))
