/** The servers' processes: each its own, so that its CPU and memory are its own. */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'

/** @typedef {{ cpu: number, memory: number }} Usage milliseconds since the start, and bytes now */

/**
 * @param {import('./servers.mjs').Server} server
 * @param {{ database: string, secret: string, node: string }} settings
 */
export async function startProcess({ name, script: [file = '', ...args] }, { database, secret, node }) {
  const child = fork(join(import.meta.dirname, 'servers', file), args, {
    execPath: node,
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
  /** @type {Promise<never>} */
  const ended = once(child, 'exit').then(([code]) => {
    throw new Error(`${name} ended with ${code}: ${problem}`)
  })
  ended.catch(() => {})
  const [{ port }] = await Promise.race([once(child, 'message'), ended])

  return {
    origin: `http://127.0.0.1:${port}`,

    /** @returns {Promise<Usage>} */
    async usage() {
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

/** @typedef {Awaited<ReturnType<typeof startProcess>>} ServerProcess */
