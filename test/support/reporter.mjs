/** Prints tap's output, then the failures again, and a last line with the result: `17 passed, 0 failed`. */
import { Transform } from 'node:stream'

/** The number of lines of a failure that are printed again. The first lines have the difference and the location. */
const shown = 12

export default class Reporter extends Transform {
  #rest = ''
  #summary = ''
  /** @type {string[][]} */
  #failures = []
  #isDiagnosis = false

  /**
   * @override
   * @type {Transform['_transform']}
   */
  _transform(chunk, _encoding, done) {
    const lines = (this.#rest + chunk).split('\n')
    this.#rest = /** @type {string} */ (lines.pop())
    for (const line of lines) this.#read(line)
    done(null, chunk)
  }

  /** @param {string} line */
  #read(line) {
    if (/^# \{ total: .*\}$/.test(line)) this.#summary = line
    if (/^ *not ok /.test(line)) this.#failures.push([line])
    else if (line.trim() === '---') this.#isDiagnosis = this.#failures.at(-1)?.at(-1)?.includes('not ok') === true
    else if (line.trim() === '...') this.#isDiagnosis = false
    else if (this.#isDiagnosis) this.#failures.at(-1)?.push(line)
  }

  /**
   * @override
   * @type {Transform['_flush']}
   */
  _flush(done) {
    const failures = this.#failures.flatMap((lines) => lines.slice(0, shown))
    /** @param {string} kind */
    const count = (kind) => Number(new RegExp(`\\b${kind}: (\\d+)`).exec(this.#summary)?.[1] ?? 0)
    const summary = `${count('pass')} passed, ${count('fail')} failed`
    done(null, [...failures, summary, ''].join('\n'))
  }
}
