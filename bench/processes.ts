/** Processes of their own, so that their CPU and memory are their own. */
import { fork } from 'node:child_process'
import { createHmac, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { join } from 'node:path'
import type { Server } from './servers.ts'

/** Tokens as every server takes them. */
export const secret = randomBytes(32).toString('hex')

export function tokenOf({ id, role }: { id: number; role: string }) {
  // Feathers also wants to know whom it is from and for
  const claims = { sub: String(id), role, iss: 'bench', aud: 'bench', exp: Math.floor(Date.now() / 1000) + 86_400 }
  const text = [{ alg: 'HS256', typ: 'JWT' }, claims]
    .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
    .join('.')
  return `${text}.${createHmac('sha256', secret).update(text).digest('base64url')}`
}

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
