/** How far a long piece of work is: one line that is written over on a terminal, else one for each tenth. */

/** @param {string} title @param {number} total */
export function progress(title, total) {
  const start = performance.now()
  const { stderr } = process
  let done = 0
  let tenth = 0

  return {
    /** @param {number} amount @param {string} what is being worked on */
    advance(amount, what) {
      done += amount
      const seconds = Math.round((performance.now() - start) / 1000)
      const line = `${title}: ${Math.floor((done / total) * 100)} %, ${seconds} s, ${what}`
      if (stderr.isTTY) stderr.write(`\r\x1b[K${line.slice(0, stderr.columns - 1)}`)
      else if (Math.floor((done / total) * 10) > tenth) {
        tenth = Math.floor((done / total) * 10)
        stderr.write(`${line}\n`)
      }
    },
    end() {
      if (stderr.isTTY) stderr.write('\n')
    }
  }
}
