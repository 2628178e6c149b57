/** The heap of this process after a garbage collection, and its growth. */
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

setFlagsFromString('--expose-gc')
export const collect = runInNewContext('gc') as () => void

/** The heap in bytes. The second turn collects the objects that finalizers release. */
export function heapUsed(): number {
  collect()
  collect()
  return process.memoryUsage().heapUsed
}

/** The slope of a linear regression in some unit per `x`, and a text of it with its standard error. */
export function growth(samples: readonly { x: number; bytes: number }[], unit: string, bytesOfUnit: number) {
  const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length
  const [x, y] = [mean(samples.map(({ x }) => x)), mean(samples.map(({ bytes }) => bytes))]
  const spread = mean(samples.map((each) => (each.x - x) ** 2))
  const slope = mean(samples.map((each) => (each.x - x) * (each.bytes - y))) / spread
  const residual = mean(samples.map((each) => (each.bytes - y - slope * (each.x - x)) ** 2))
  const error = Math.sqrt(residual / spread / (samples.length - 2))
  const [rate, uncertain] = [slope / bytesOfUnit, error / bytesOfUnit]
  return { rate, grown: `${rate.toFixed(2)} ± ${uncertain.toFixed(2)} ${unit}` }
}
