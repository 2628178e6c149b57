/** What the command is told. */
import { parseArgs } from 'node:util'

export const usage = `npm run bench -- [SCALE] [options]

  SCALE              1 is a million assessments; default 0.1
  --rounds N         interleaved rounds; default 9
  --seconds N        at most this long for a server's turn in a round; default 0.5
  --requests N       at most so many requests in a turn; default 2000
  --slow N           a server whose single request takes more seconds is not timed further; default 2
  --patience N       seconds that a single request is waited for; default 30
  --scenario TEXT    only those with this text in their names; may be repeated
  --server TEXT      only these, beside ours; may be repeated
  --soak N           seconds under load at 32 connections, memory watched; default 300, 0 for none
  --report           only make the documents again from what was kept

What is measured is kept and put into the documents, that of a choice of scenarios or servers only printed.`

/** @param {string[]} args */
export function optionsOf(args) {
  const text = /** @type {const} */ ({ type: 'string' })
  const flag = /** @type {const} */ ({ type: 'boolean', default: false })
  const several = /** @type {const} */ ({ type: 'string', multiple: true })
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      rounds: { ...text, default: '9' },
      seconds: { ...text, default: '0.5' },
      requests: { ...text, default: '2000' },
      slow: { ...text, default: '2' },
      patience: { ...text, default: '30' },
      scenario: several,
      server: several,
      soak: { ...text, default: '300' },
      report: flag,
      help: flag
    }
  })
  const { scenario, server, report, help } = values
  return {
    scale: numberOf('SCALE', positionals[0] ?? '0.1'),
    rounds: numberOf('--rounds', values.rounds),
    seconds: numberOf('--seconds', values.seconds),
    requests: numberOf('--requests', values.requests),
    slow: numberOf('--slow', values.slow),
    patience: numberOf('--patience', values.patience),
    soak: numberOf('--soak', values.soak),
    scenarios: scenario,
    servers: server,
    save: !(scenario || server),
    report,
    help
  }
}

/** @typedef {ReturnType<typeof optionsOf>} Options */

/** @param {string} name @param {string} text */
function numberOf(name, text) {
  const number = Number(text)
  if (text.trim() === '' || !(number >= 0) || number === Infinity)
    throw new Error(`${name} must be a number, not '${text}'.`)
  return number
}
