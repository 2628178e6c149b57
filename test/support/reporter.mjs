/** tap's output as it is, and a last line that says how it ended: `17 passed, 0 failed`. */
import { Transform } from 'node:stream'

export default class Reporter extends Transform {
  #end = ''

  /**
   * @override
   * @type {Transform['_transform']}
   */
  _transform(chunk, _encoding, done) {
    this.#end = (this.#end + chunk).slice(-4000)
    done(null, chunk)
  }

  /**
   * @override
   * @type {Transform['_flush']}
   */
  _flush(done) {
    const summary = /^# \{ total: .*\}$/m.exec(this.#end)?.[0] ?? ''
    /** @param {string} kind */
    const count = (kind) => Number(new RegExp(`\\b${kind}: (\\d+)`).exec(summary)?.[1] ?? 0)
    done(null, `${count('pass')} passed, ${count('fail')} failed\n`)
  }
}
