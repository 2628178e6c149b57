/** Runs the demo in a child process. */
import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { withoutTap } from '../running/without-tap.mjs'

const script = fileURLToPath(new URL('../../../examples/demo/start.mjs', import.meta.url))

/**
 * @param {Record<string, string>} settings environment variables; PORT is a free one unless given
 * @param {string[]} [args] such as `--rows 1000`
 * @returns {Promise<{ address: string, output: () => string, stop: (signal?: NodeJS.Signals) => Promise<number | null> }>}
 *   `stop` returns the exit code. Rejects with the output of the demo if the demo ends by itself.
 */
export async function startExample(settings, args = []) {
  const { PATH, HOME } = process.env
  const child = spawn(...withoutTap(process.execPath, [script, ...args]), {
    env: { PATH, HOME, PORT: '0', ...settings }
  })
  let output = ''
  /** @type {Promise<number | null>} */
  const ended = new Promise((resolve) => child.once('exit', resolve))
  const address = await new Promise((resolve, reject) => {
    /** @param {Buffer} chunk */
    const read = (chunk) => {
      output += chunk
      const found = /Listening on (\S+)/.exec(output)?.[1]
      if (found) resolve(found)
    }
    child.stdout.on('data', read)
    child.stderr.on('data', read)
    child.once('close', (code) => reject(new Error(`The demo ended with ${code}: ${output}`)))
  })
  return {
    address,
    output: () => output,
    stop: (signal = 'SIGTERM') => {
      child.kill(signal)
      return ended
    }
  }
}

/**
 * @param {string} address of the demo
 * @returns {Promise<{ name: string, role: string, userId: number, token: string }[]>} the callers of the demo
 */
export async function callersOf(address) {
  const response = await fetch(`${address}/demo/callers`)
  return JSON.parse(await response.text())
}
