/** The servers' processes: each its own, so that its CPU and memory are its own. */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import type { Server } from './servers.ts'
import { secret } from './tokens.ts'

/** Milliseconds since the start, and bytes now. */
export type Usage = { cpu: number; memory: number }

export async function startProcess({ name, script: [file = '', ...args] }: Server, database: string) {
  const child = fork(join(import.meta.dirname, 'servers', file), args, {
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
  const [{ port }] = await Promise.race([once(child, 'message'), ended])

  return {
    origin: `http://127.0.0.1:${port}`,

    async usage(): Promise<Usage> {
      child.send('usage')
      const [usage] = await Promise.race([once(child, 'message'), ended])
      return usage
    },

    async stop() {
      if (child.exitCode !== null) return
      child.kill('SIGKILL')
      await once(child, 'exit')
    }
  }
}

export type ServerProcess = Awaited<ReturnType<typeof startProcess>>
