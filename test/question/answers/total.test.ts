import t from 'tap'
import { itemsAndTotal, provenTotal } from '../../../src/question/answers/total.js'
import { offsetOf } from '../../../src/question/asked/question.js'
import type { ReadPage } from '../../../src/question/sql/items.js'
import type { Run } from '../../../src/question/sql/statement.js'
import { questionFor } from '../../support/servers/session.js'

t.test('a page proves the total if it has records and is not full, or if it is an empty first page', async (t) => {
  let proofs = 0
  const wrong: unknown[] = []
  for (let total = 0; total <= 20; total++) {
    for (let limit = 1; limit <= 7; limit++) {
      for (let page = 1; page <= 23; page++) {
        const records = Math.max(0, Math.min(limit, total - offsetOf({ page, limit })))
        const proven = provenTotal({ page, limit }, records)
        // A full page may have pages after it. An empty page may be past the end.
        const expected = (records > 0 && records < limit) || (records === 0 && page === 1) ? total : undefined
        if (proven !== expected) wrong.push({ total, limit, page, proven })
        if (proven !== undefined) proofs++
      }
    }
  }
  t.strictSame(wrong, [])
  t.ok(proofs > 0)
})

/** A page of so many items, and the total of a statement that counts. */
const read = (count: number, total?: number): ReadPage => ({
  items: Array.from({ length: count }, (_, place) => place),
  ...{ count, rows: count, total, keys: [], isTied: false }
})
/** The question of a page, and the count that its total may need. */
const asking = (page: number, counted?: number) => ({
  question: { ...questionFor(), page, limit: 3 },
  run: (async () => counted ?? t.fail('counts')) as Run
})

t.test('a page that is full needs a count, and no other page', async (t) => {
  t.match(await itemsAndTotal(asking(1, 7), read(3)), { items: { length: 3 }, total: 7 })
  t.match(await itemsAndTotal(asking(3, 7), read(0)), { items: [], total: 7 }, 'past the end')
  const last = await itemsAndTotal(asking(3), read(1))
  t.match(last, { items: { length: 1 }, total: 7 })
  t.strictSame(await itemsAndTotal(asking(1), read(0)), { items: [], total: 0 })
})

t.test('a page whose statement counts needs no other count', async (t) => {
  t.match(await itemsAndTotal(asking(1), read(3, 31)), { total: 31 })
})

t.test('the total is at least the number of records up to the end of the page', async (t) => {
  t.match(await itemsAndTotal(asking(2, 2), read(3)), { total: 6 })
  t.match(await itemsAndTotal(asking(9, 2), read(0)), { total: 2 }, 'a page without records')
})
