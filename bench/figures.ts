/** Sums over what was measured, and how a document shows them. */
import { markdownTable } from '../test/support/running/report.mjs'
import type { Measured, Result, Results } from './results.ts'

export const median = (values: number[]) => quantile(values, 0.5)

export function quantile(values: number[], share: number) {
  const sorted = [...values].sort((one, other) => one - other)
  const place = (sorted.length - 1) * share
  const low = sorted[Math.floor(place)] ?? Number.NaN
  const high = sorted[Math.ceil(place)] ?? Number.NaN
  return low + (high - low) * (place - Math.floor(place))
}

/** With four digits, so that the files stay small and say no more than is known. */
export const rounded = (value: number) => Number(value.toPrecision(4))

/** `single`: of one request each. */
export type Ratio = { value: number; single: boolean }

export const resultOf = (results: Results | undefined, scenario: string, server: string) =>
  results?.scenarios.find(({ name }) => name === scenario)?.results[server]

/**
 * How many times faster the first server is than the second, each in its fastest round, because other work on the machine
 * only makes a round slower. Where one server is too slow to be timed, the ratio is that of single requests.
 */
export function ratioOf(
  results: Results | undefined,
  scenario: string,
  fast: string,
  slow: string,
  connections: number
): Ratio | undefined {
  const [one, other] = [resultOf(results, scenario, fast), resultOf(results, scenario, slow)]
  const [rates, others] = [one?.at?.[connections]?.rate, other?.at?.[connections]?.rate]
  if (rates && others) {
    return { value: Math.max(...rates) / Math.max(...others), single: false }
  }
  const [time, otherTime] = [latencyOf(one), latencyOf(other)]
  if (connections !== 1 || !time || !otherTime) return undefined
  return { value: otherTime / time, single: true }
}

/** Whether it is about one request at a time, too. */
export const isAlone = ({ results }: Measured) =>
  Object.values(results).some(({ at }) => at?.[1]) || !Object.values(results).some(({ at }) => at)

/** Milliseconds of a request when nothing else runs. */
export const latencyOf = (result: Result | undefined) =>
  result?.at?.[1] ? Math.min(...result.at[1].p50) : result?.single

/** Three digits. */
export const figure = (value: number) =>
  Math.abs(value) >= 100 ? Math.round(value).toLocaleString('en') : String(Number(value.toPrecision(3)))

export const number = (value: number | undefined) => (value === undefined || Number.isNaN(value) ? '' : figure(value))

/** A table without the columns that are empty, whose columns but the first are of numbers. */
export function table(headings: string[], rows: string[][]) {
  const isUsed = (_: string, column: number) => rows.length === 0 || rows.some((row) => row[column])
  const shown = headings.filter(isUsed).map((heading, column) => (column === 0 ? heading : `${heading} `))
  return markdownTable(
    shown,
    rows.map((row) => row.filter(isUsed))
  )
}
