/** Waits until something holds, and says whether it does in time. */
import { setTimeout as sleep } from 'node:timers/promises'

export async function until(holds: () => unknown, milliseconds = 5_000): Promise<boolean> {
  const end = performance.now() + milliseconds
  while (!(await holds())) {
    if (performance.now() > end) return false
    await sleep(20)
  }
  return true
}
