/** Reads all payments without HTTP, with `each` and with a cursor by hand, each in a process of its own. */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { median, rounded } from './figures.mjs'
import { progress } from './progress.mjs'

export const everyPayment = 'all payments, without HTTP'

/** @typedef {{ records: number, seconds: number, memory: number[] }} Read megabytes after each part of the records */

/**
 * @param {{ database: string, node: string, rounds: number }} settings
 * @returns {Promise<Record<string, Read>>} by reader, with the median of the seconds
 */
export async function readAll({ database, node, rounds }) {
  /** @type {Record<string, Read[]>} */
  const reads = { ours: [], 'by hand': [] }
  const readers = Object.entries(reads)
  const bar = progress(`Reading ${everyPayment}`, rounds * readers.length)
  for (let round = 0; round < rounds; round++) {
    for (const [reader, all] of readers) {
      all.push(await read(reader, database, node))
      bar.advance(1, reader)
    }
  }
  bar.end()
  return Object.fromEntries(
    readers.map(([reader, all]) => {
      const [{ records, memory }] = /** @type {[Read]} */ (all)
      return [reader, { records, seconds: rounded(median(all.map(({ seconds }) => seconds))), memory }]
    })
  )
}

/**
 * @param {string} reader
 * @param {string} database
 * @param {string} node
 * @returns {Promise<Read>}
 */
async function read(reader, database, node) {
  const env = { ...process.env, NODE_ENV: 'production', BENCH_DATABASE: database }
  const child = fork(join(import.meta.dirname, 'reader.mjs'), [reader], { execPath: node, env })
  const ended = once(child, 'exit').then(([code]) => {
    throw new Error(`The reader '${reader}' ended with ${code}.`)
  })
  const [found] = await Promise.race([once(child, 'message'), ended])
  ended.catch(() => {})
  return { ...found, memory: found.memory.map((/** @type {number} */ bytes) => rounded(bytes / 2 ** 20)) }
}
