/** What every server has in common: it gets its settings from the benchmark, and tells it what it uses. */

/** @typedef {{ database: string, secret: string }} Settings */

/** @returns {Settings} */
export function settings() {
  const { BENCH_DATABASE = '', BENCH_SECRET = '' } = process.env
  return { database: BENCH_DATABASE, secret: BENCH_SECRET }
}

/**
 * Tells the benchmark the port, and from then on what this process has used, as often as it asks. Ends
 * with the benchmark.
 *
 * @param {number} port
 */
export function ready(port) {
  process.on('message', () => {
    const { user, system } = process.cpuUsage()
    process.send?.({ cpu: (user + system) / 1000, memory: process.memoryUsage.rss() })
  })
  process.once('disconnect', () => process.exit())
  process.send?.({ port })
}
