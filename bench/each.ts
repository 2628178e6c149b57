/** Reads all payments without HTTP, with `each` and with a cursor by hand, each in a process of its own. */
import { median, rounded } from './figures.ts'
import { started } from './processes.ts'
import type { Read } from './results.ts'

export const everyPayment = 'all payments, without HTTP'

export async function readAll(database: string, rounds: number): Promise<Record<string, Read>> {
  const reads: Record<string, Read[]> = { ours: [], 'by hand': [] }
  console.error(everyPayment)
  for (let round = 0; round < rounds; round++) {
    for (const [reader, all] of Object.entries(reads)) {
      all.push(await started(`The reader '${reader}'`, 'reader.mjs', [reader], database).next())
    }
  }
  return Object.fromEntries(
    Object.entries(reads).map(([reader, all]) => {
      const [{ records, memory }] = all as [Read]
      const seconds = rounded(median(all.map(({ seconds }) => seconds)))
      return [reader, { records, seconds, memory: memory.map((bytes) => rounded(bytes / 2 ** 20)) }]
    })
  )
}
