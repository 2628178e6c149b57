/** Sums over what was measured. */

/** @param {number[]} values */
export const median = (values) => quantile(values, 0.5)

/** @param {number[]} values @param {number} share */
export function quantile(values, share) {
  const sorted = [...values].sort((one, other) => one - other)
  const place = (sorted.length - 1) * share
  const low = sorted[Math.floor(place)] ?? Number.NaN
  const high = sorted[Math.ceil(place)] ?? Number.NaN
  return low + (high - low) * (place - Math.floor(place))
}

/** With four digits, so that the files stay small and say no more than is known. @param {number} value */
export const rounded = (value) => Number(value.toPrecision(4))

/** @typedef {import('./results.mjs').Results} Results */
/** @typedef {{ value: number, single: boolean }} Ratio `single`: of one request each */

/** @param {Results | undefined} results @param {string} scenario @param {string} server */
export const resultOf = (results, scenario, server) =>
  results?.scenarios.find(({ name }) => name === scenario)?.results[server]

/**
 * How many times faster the first server is than the second: the median of the rounds' ratios, or the
 * ratio of single requests where one is too slow to be timed.
 *
 * @param {Results | undefined} results
 * @param {string} scenario
 * @param {string} fast
 * @param {string} slow
 * @param {number} connections
 * @returns {Ratio | undefined}
 */
export function ratioOf(results, scenario, fast, slow, connections) {
  const [one, other] = [resultOf(results, scenario, fast), resultOf(results, scenario, slow)]
  const [rates, others] = [one?.at?.[connections]?.rate, other?.at?.[connections]?.rate]
  if (rates && others && rates.length === others.length) {
    return { value: median(rates.map((rate, round) => rate / Number(others[round]))), single: false }
  }
  const [time, otherTime] = [latencyOf(one), latencyOf(other)]
  if (connections !== 1 || !time || !otherTime) return undefined
  return { value: otherTime / time, single: true }
}

/** Whether it is about one request at a time, too. @param {import('./measure.mjs').Measured} measured */
export const isAlone = ({ results }) =>
  Object.values(results).some(({ at }) => at?.[1]) || !Object.values(results).some(({ at }) => at)

/** Milliseconds of a request when nothing else runs. @param {import('./measure.mjs').Result | undefined} result */
export const latencyOf = (result) => (result?.at?.[1] ? median(result.at[1].p50) : result?.single)
