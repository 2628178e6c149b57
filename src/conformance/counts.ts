/** Compares the counts beside the filters with totals. */
import { fail } from './client.js'
import type { ListUnderTest } from './list-under-test.js'

export async function countsAreTotals(tested: ListUnderTest): Promise<void> {
  for (const caller of tested.allowed) {
    for (const [filter, { counted }] of Object.entries(tested.listOf(caller).filters)) {
      if (!counted) continue
      const { answer } = await tested.page(caller, { counts: filter })
      for (const value of counted) {
        const count = Object(Object(answer.body.counts)[filter])[value]
        const { total } = await tested.page(caller, { [filter]: value })
        if (count !== total) fail(answer, `the count of ${filter}=${value} is ${count}, and its total is ${total}.`)
      }
    }
  }
}
