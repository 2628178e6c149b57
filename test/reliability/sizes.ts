/** The sizes of the reliability suites, and the figures that they report. */
import { appendFileSync } from 'node:fs'
import fc from 'fast-check'
import type { Test } from 'tap'
import { seed as seedOfTests } from '../support/oracle/random.js'

const { RELIABILITY = 'short', RELIABILITY_FIGURES, RELIABILITY_SEED } = process.env
const place = ['short', 'middle', 'long'].indexOf(RELIABILITY)
if (place < 0) throw new Error(`RELIABILITY must be short, middle or long, not '${RELIABILITY}'.`)

/** Picks the number for `npm test`, for continuous integration, or for `npm run test:reliability`. */
export const times = (...numbers: [short: number, middle: number, long: number]): number => Number(numbers[place])

/** The seed of all random choices. The run prints it, so that the run can be repeated. */
export const seed = RELIABILITY_SEED === undefined ? seedOfTests : Number(RELIABILITY_SEED)

/** Any character. The unit 'binary' of fast-check takes a second to set up. */
export const codePoint = fc.integer({ min: 0, max: 0x10ffff }).map((code) => String.fromCodePoint(code))

/** A row of the table. */
export interface Figure {
  what: string
  tried: number
  broken: number
  /** The worst time and its name. */
  worst?: string
}

export const tell = (figure: Figure): void => {
  if (RELIABILITY_FIGURES) appendFileSync(RELIABILITY_FIGURES, `${JSON.stringify(figure)}\n`)
}

/** Checks a property, the examples first, and reports the number of requests and whether the property holds. */
export async function holds<Given>(
  t: Test,
  what: string,
  property: fc.IAsyncProperty<Given>,
  numRuns: number,
  { examples = [], tried = () => numRuns }: { examples?: Given[]; tried?: () => number } = {}
): Promise<void> {
  const run = await fc.check(property, { seed, numRuns, examples })
  t.comment(`seed ${seed}: ${tried()} requests`)
  tell({ what, tried: tried(), broken: run.failed ? 1 : 0 })
  if (run.failed) throw new Error(fc.defaultReportMessage(run))
}

/** A token, a search term, an email of the small world, or SQL. */
const secret = /eyJ[\w-]{10}|[?&]search=(?!\*)|@example\.|\bselect\b.*\bfrom\b/is

/** The number of lines, and the lines that contain a secret. */
export const watched = { lines: 0, leaks: [] as string[] }

/** A log at the level trace that is searched for secrets. */
export const watchedLogger = {
  level: 'trace',
  stream: {
    write(line: string) {
      watched.lines++
      if (secret.test(line)) watched.leaks.push(line)
    }
  }
}

/** Reports the number of log lines and of lines that contain a secret. */
export const tellOfLog = (what: string, { lines, leaks } = watched): void =>
  tell({
    what: `log lines of ${what} that hold a token, a search term, an email or SQL`,
    tried: lines,
    broken: leaks.length
  })
