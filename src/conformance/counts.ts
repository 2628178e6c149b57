/** Compares the counts beside the filters with totals. */
import { fail } from './client.js'
import type { ListUnderTest } from './list-under-test.js'

/** @returns why the check is skipped */
export async function countsAreTotals(tested: ListUnderTest): Promise<string | undefined> {
  let isCounted = false
  for (const caller of tested.allowed) {
    for (const [filter, { counted }] of Object.entries(tested.listOf(caller).filters)) {
      if (!counted) continue
      isCounted = true
      const { answer } = await tested.page(caller, { counts: filter })
      for (const value of counted) {
        const count = Object(Object(answer.body.counts)[filter])[value]
        const { total } = await tested.page(caller, { [filter]: value })
        if (count !== total) fail(answer, `the count of ${filter}=${value} is ${count}, and its total is ${total}.`)
      }
    }
  }
  return isCounted ? undefined : 'No filter that a caller may use is counted.'
}
