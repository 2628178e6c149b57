/** Reads all payments without HTTP, with `each` and with a cursor by hand, each in a process of its own. */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { median, rounded } from './figures.ts'
import type { Read } from './results.ts'

export const everyPayment = 'all payments, without HTTP'

export async function readAll(database: string, rounds: number): Promise<Record<string, Read>> {
  const reads: Record<string, Read[]> = { ours: [], 'by hand': [] }
  const readers = Object.entries(reads)
  console.error(everyPayment)
  for (let round = 0; round < rounds; round++) {
    for (const [reader, all] of readers) all.push(await read(reader, database))
  }
  return Object.fromEntries(
    readers.map(([reader, all]) => {
      const [{ records, memory }] = all as [Read]
      return [reader, { records, seconds: rounded(median(all.map(({ seconds }) => seconds))), memory }]
    })
  )
}

async function read(reader: string, database: string): Promise<Read> {
  const env = { ...process.env, NODE_ENV: 'production', BENCH_DATABASE: database }
  const child = fork(join(import.meta.dirname, 'reader.mjs'), [reader], { env })
  const ended = once(child, 'exit').then(([code]) => {
    throw new Error(`The reader '${reader}' ended with ${code}.`)
  })
  const [found] = await Promise.race([once(child, 'message'), ended])
  ended.catch(() => {})
  return { ...found, memory: found.memory.map((bytes: number) => rounded(bytes / 2 ** 20)) }
}
