import t from 'tap'
import type { Dialect } from '../../../src/database/dialect.js'
import { mysql } from '../../../src/database/dialects/mysql.js'
import { postgres } from '../../../src/database/dialects/postgres.js'
import { sqlite } from '../../../src/database/dialects/sqlite.js'
import { needsPlan, needsSnapshot, offsetOf, spanOf } from '../../../src/question/asked/question.js'
import { questionFor } from '../../support/servers/session.js'

t.test('each page starts where the previous page ends, up to the last page', async (t) => {
  for (const limit of [1, 7, 12, 100]) {
    let offset = 0
    for (let page = 1; page <= 300; page++, offset += limit) {
      if (offsetOf({ page, limit }) !== offset) t.fail(`page ${page} of ${limit}`)
    }
    for (let digits = 3; digits <= 13; digits++) {
      const page = 10 ** digits
      t.equal(offsetOf({ page, limit }), Number((BigInt(page) - 1n) * BigInt(limit)), `page ${page} of ${limit}`)
      t.equal(spanOf({ page, limit }).skip, offsetOf({ page, limit }))
    }
  }
})

t.test('a span covers the rows of its page from the nearer end, and skips at most half of the rows', async (t) => {
  const wrong: unknown[] = []
  for (let total = 0; total <= 20; total++) {
    const newestFirst = Array.from({ length: total }, (_, index) => index)
    for (let limit = 1; limit <= 7; limit++) {
      for (let page = 1; page <= 23; page++) {
        const { skip, take, backwards } = spanOf({ page, limit }, total)
        const rows = backwards ? newestFirst.toReversed() : newestFirst
        const found = rows.slice(skip, skip + take).sort((a, b) => a - b)
        const start = offsetOf({ page, limit })
        const expected = newestFirst.slice(start, start + limit)
        const isRight = found.join() === expected.join() && take === expected.length
        if (!isRight || (take > 0 && skip > total / 2)) wrong.push({ total, limit, page, skip, take, backwards })
      }
    }
  }
  t.strictSame(wrong, [])
  t.strictSame(spanOf({ page: 3, limit: 12 }), { skip: 24, take: 12, backwards: false }, 'no total yet')
  t.strictSame(spanOf({ page: 2, limit: 5 }, 15), { skip: 5, take: 5, backwards: false }, 'the page in the middle')
})

const search = { search: 'ann' }
const requests = {
  'the first page': questionFor(),
  'a later page': questionFor({ page: 2 }),
  'a search': questionFor({ parameters: search }),
  'a later page of a search': questionFor({ page: 2, parameters: search }),
  'a filter': questionFor({ parameters: { status: 'pending' } }),
  'a later page of own records': questionFor({ reach: 'own', page: 2 }),
  'a search in own records': questionFor({ reach: 'own', parameters: search }),
  'a later page of linked users': questionFor({ reach: 'linked', page: 2 }),
  'a search of linked users': questionFor({ reach: 'linked', parameters: search })
}
/** The requests for which the rule holds. */
const where = (holds: (request: ReturnType<typeof questionFor>, dialect: Dialect) => boolean, dialect: Dialect) =>
  Object.entries(requests).flatMap(([name, request]) => (holds(request, dialect) ? [name] : []))

t.test('a later page of all records needs a plan, and on MySQL a search of all records', async (t) => {
  const planned = (request: ReturnType<typeof questionFor>, { planning }: Dialect) => needsPlan(request, planning)
  const laterPages = ['a later page', 'a later page of a search']
  t.strictSame(where(planned, mysql), ['a later page', 'a search', 'a later page of a search'])
  t.strictSame(where(planned, { ...mysql, ...mysql.fallback }), laterPages, 'the fallback of MySQL has no plan')
  t.strictSame(where(planned, postgres), laterPages)
  t.strictSame(where(planned, sqlite), laterPages)
})

t.test('PostgreSQL always reads a snapshot, MySQL for a later page of all records, and SQLite never', async (t) => {
  t.strictSame(where(needsSnapshot, postgres), Object.keys(requests))
  t.strictSame(where(needsSnapshot, mysql), ['a later page', 'a later page of a search'])
  t.strictSame(where(needsSnapshot, sqlite), [])
})
