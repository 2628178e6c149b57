/** How far a long piece of work is: one line that is written over on a terminal, else one for each tenth. */

/**
 * @param {string} title
 * @param {number} total
 */
export function progress(title, total) {
  const start = performance.now()
  const { stderr } = process
  let done = 0
  let tenth = 0

  /** @param {string} what */
  function show(what) {
    const share = done / total
    const seconds = Math.round((performance.now() - start) / 1000)
    const left = share > 0 ? Math.round(seconds / share - seconds) : 0
    const bar = '#'.repeat(Math.round(share * 30)).padEnd(30, '.')
    const line = `${title} [${bar}] ${Math.floor(share * 100)} %, ${seconds} s, ${left} s left: ${what}`
    if (stderr.isTTY) stderr.write(`\r\x1b[K${line.slice(0, stderr.columns - 1)}`)
    else if (Math.floor(share * 10) > tenth) {
      tenth = Math.floor(share * 10)
      stderr.write(`${line}\n`)
    }
  }

  return {
    /**
     * @param {number} amount
     * @param {string} what is being worked on
     */
    advance(amount, what) {
      done += amount
      show(what)
    },
    end() {
      if (stderr.isTTY) stderr.write('\n')
    }
  }
}
