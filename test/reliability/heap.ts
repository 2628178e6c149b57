/** The memory of this process after a garbage collection, and whether it grows. */
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void

/** Bytes that are still needed. What only finalizers let go of goes with the second turn. */
export function heapUsed(): number {
  collect()
  collect()
  return process.memoryUsage().heapUsed
}

/** Bytes for each unit of `x`, by the line that fits best, and the standard error of that. */
export function growth(samples: readonly { x: number; bytes: number }[]): { slope: number; error: number } {
  const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length
  const [x, y] = [mean(samples.map(({ x }) => x)), mean(samples.map(({ bytes }) => bytes))]
  const spread = mean(samples.map((each) => (each.x - x) ** 2))
  const slope = mean(samples.map((each) => (each.x - x) * (each.bytes - y))) / spread
  const residual = mean(samples.map((each) => (each.bytes - y - slope * (each.x - x)) ** 2))
  return { slope, error: Math.sqrt(residual / spread / (samples.length - 2)) }
}
