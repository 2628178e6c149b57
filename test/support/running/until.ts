/** Waits until a condition holds, and returns whether it holds in time. */
import { setTimeout as sleep } from 'node:timers/promises'

export async function until(holds: () => unknown, milliseconds = 5_000): Promise<boolean> {
  const end = performance.now() + milliseconds
  while (!(await holds())) {
    if (performance.now() > end) return false
    await sleep(20)
  }
  return true
}
