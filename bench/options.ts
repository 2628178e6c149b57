/** What the command is told: `npm run bench -- [SCALE] [options]`. */
import { parseArgs } from 'node:util'

const defaults = {
  /** 1 is a million assessments. */
  scale: 0.1,
  /** Interleaved rounds. */
  rounds: 9,
  /** At most this long for a server's turn in a round. */
  seconds: 0.5,
  /** A server whose single request takes more seconds is not timed further. */
  slow: 2,
  /** Seconds that a single request is waited for. */
  patience: 30
}

export function optionsOf(args: string[]) {
  const text = { type: 'string' } as const
  const several = { type: 'string', multiple: true } as const
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      ...{ rounds: text, seconds: text, slow: text, patience: text },
      // only those with one of these texts in their names; they are printed, and not kept
      scenario: several,
      // only these, beside ours; they are printed, and not kept
      server: several,
      // another build of our package, measured beside this one; the figures are printed, and not kept
      ours: text,
      // only makes the documents again from what was kept
      report: { type: 'boolean', default: false }
    }
  })
  const { scenario: scenarios, server: servers, ours: tarball, report, ...given } = values
  const numbers = Object.entries({ scale: positionals[0], ...given }).filter(([, text]) => text !== undefined)
  for (const [name, text] of numbers) {
    if (!(text?.trim() && Number(text) >= 0)) throw new Error(`${name} must be a number, not '${text}'.`)
  }
  return {
    ...defaults,
    ...(Object.fromEntries(numbers.map(([name, text]) => [name, Number(text)])) as Partial<typeof defaults>),
    /** At most so many requests in a turn. */
    requests: 2000,
    ...{ scenarios, servers, tarball, report, save: !(scenarios || servers || tarball) }
  }
}

export type Options = ReturnType<typeof optionsOf>
