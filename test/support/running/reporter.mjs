/** Prints tap's output, then the failures again, and a last line with the result: `17 passed, 0 failed`. */
import { Transform } from 'node:stream'

/** A failure, and the first lines of its diagnosis, which have the difference and the location. */
const failure = /^ *not ok .*(?:\n *---\n(?: *(?!\.\.\.$).*\n){0,11})?/gm

export default class Reporter extends Transform {
  #text = ''

  /**
   * @override
   * @type {Transform['_transform']}
   */
  _transform(chunk, _encoding, done) {
    this.#text += chunk
    done(null, chunk)
  }

  /**
   * @override
   * @type {Transform['_flush']}
   */
  _flush(done) {
    const [summary = ''] = this.#text.match(/^# \{ total: .*\}$/m) ?? []
    /** @param {string} kind */
    const count = (kind) => Number(new RegExp(`\\b${kind}: (\\d+)`).exec(summary)?.[1] ?? 0)
    const failures = this.#text.match(failure) ?? []
    done(null, [...failures, `${count('pass')} passed, ${count('fail')} failed`, ''].join('\n'))
  }
}
