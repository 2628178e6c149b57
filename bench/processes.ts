/** Processes of their own, so that their CPU and memory are their own. */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import type { Server } from './servers.ts'
import { secret } from './tokens.ts'

/** Starts a script. `next` is its next message, or the reason why it ended. */
export function started(name: string, file: string, args: string[], database: string) {
  const child = fork(join(import.meta.dirname, file), args, {
    env: {
      ...process.env,
      NODE_ENV: 'production',
      BENCH_DATABASE: database,
      BENCH_SECRET: secret,
      NODE_NO_WARNINGS: '1'
    },
    stdio: ['ignore', 'ignore', 'pipe', 'ipc']
  })
  let problem = ''
  child.stderr?.setEncoding('utf8').on('data', (text) => {
    problem = (problem + text).slice(-2000)
  })
  const ended: Promise<never> = once(child, 'exit').then(([code]) => {
    throw new Error(`${name} ended with ${code}: ${problem}`)
  })
  ended.catch(() => {})
  const next = async () => (await Promise.race([once(child, 'message'), ended]))[0]
  return { child, next }
}

export async function startProcess({ name, script: [file = '', ...args] }: Server, database: string) {
  const { child, next } = started(name, join('servers', file), args, database)
  const { port } = await next()
  return {
    origin: `http://127.0.0.1:${port}`,

    /** Milliseconds of CPU since the start. */
    cpu(): Promise<number> {
      child.send('cpu')
      return next()
    },

    async stop() {
      if (child.exitCode !== null) return
      child.kill('SIGKILL')
      await once(child, 'exit')
    }
  }
}

export type ServerProcess = Awaited<ReturnType<typeof startProcess>>
