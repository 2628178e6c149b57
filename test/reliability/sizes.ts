/** How much the reliability suites try, and what they tell of it. */
import { appendFileSync } from 'node:fs'
import fc from 'fast-check'
import type { Test } from 'tap'

const { RELIABILITY = 'short', RELIABILITY_FIGURES, RELIABILITY_SEED } = process.env
const place = ['short', 'middle', 'long'].indexOf(RELIABILITY)
if (place < 0) throw new Error(`RELIABILITY must be short, middle or long, not '${RELIABILITY}'.`)

/** The number for `npm test`, for continuous integration, or for `npm run test:reliability`. */
export const times = (...numbers: [short: number, middle: number, long: number]): number => Number(numbers[place])

/** Of all random choices; printed, so that a run can be repeated. */
export const seed = RELIABILITY_SEED === undefined ? Math.floor(Math.random() * 2 ** 31) : Number(RELIABILITY_SEED)

/** A line of the table. */
export interface Figure {
  what: string
  tried: number
  broken: number
  /** The worst time, with what it is of. */
  worst?: string
}

export const tell = (figure: Figure): void => {
  if (RELIABILITY_FIGURES) appendFileSync(RELIABILITY_FIGURES, `${JSON.stringify(figure)}\n`)
}

/** Tries a property so many times, and tells how many requests that were and whether it held. */
export async function holds<Given>(
  t: Test,
  what: string,
  property: fc.IAsyncProperty<Given>,
  numRuns: number,
  tried: () => number
): Promise<void> {
  const run = await fc.check(property, { seed, numRuns })
  t.comment(`seed ${seed}: ${tried()} requests`)
  tell({ what, tried: tried(), broken: run.failed ? 1 : 0 })
  if (run.failed) throw new Error(fc.defaultReportMessage(run))
}
