/** Random choices. The same seed gives the same choices again. */

/** The seed of all random choices of a test run, which TEST_SEED repeats. */
export const seed = Number(process.env.TEST_SEED ?? Math.floor(Math.random() * 2 ** 30))

export interface Random {
  /** A whole number from 0, less than the end. */
  below(end: number): number
  /** A whole number, both ends included. */
  between(first: number, last: number): number
  /** Whether something of this probability happens. */
  chance(probability: number): boolean
  pick<Value>(values: readonly Value[]): Value
  /** Each of the values with this probability. */
  some<Value>(values: readonly Value[], probability: number): Value[]
  shuffled<Value>(values: readonly Value[]): Value[]
  /** As many results of the function. */
  times<Value>(count: number, make: (at: number) => Value): Value[]
}

export function randomOf(seed: number): Random {
  let state = Math.imul(seed, 0x9e3779b1)
  /** mulberry32. */
  const next = () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const below = (end: number) => Math.floor(next() * end)
  return {
    below,
    between: (first, last) => first + below(last - first + 1),
    chance: (probability) => next() < probability,
    pick: (values) => values[below(values.length)] as (typeof values)[number],
    some: (values, probability) => values.filter(() => next() < probability),
    shuffled(values) {
      const left = [...values]
      return values.map(() => left.splice(below(left.length), 1)[0] as (typeof values)[number])
    },
    times: (count, make) => Array.from({ length: count }, (_, at) => make(at))
  }
}
