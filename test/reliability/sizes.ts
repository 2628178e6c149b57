/** How much the reliability suites try, and what they tell of it. */
import { appendFileSync } from 'node:fs'

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
