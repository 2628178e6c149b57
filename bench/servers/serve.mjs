/** What every server has in common: it gets its settings from the benchmark, and tells it what it uses. */

export function settings() {
  const { BENCH_DATABASE: database = '', BENCH_SECRET: secret = '' } = process.env
  return { database, secret }
}

/**
 * Tells the benchmark the port, and from then on how much CPU this process has used, as often as it asks. Ends with the
 * benchmark.
 *
 * @param {number} port
 */
export function ready(port) {
  process.on('message', () => {
    const { user, system } = process.cpuUsage()
    process.send?.((user + system) / 1000)
  })
  process.once('disconnect', () => process.exit())
  process.send?.({ port })
}
