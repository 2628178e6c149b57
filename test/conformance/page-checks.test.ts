import t from 'tap'
import { conformance } from '../../src/conformance/index.js'
import type { List } from '../../src/index.js'
import { byAfter } from '../support/fixtures/tasks.js'
import { problemsOf } from '../support/fixtures/tasks-conformance.js'
import { findsFaults, isPlain, onPages, onStatus } from '../support/hosts/faults.js'
import { handWritten, rules } from '../support/hosts/hand-written.js'

findsFaults(t, 'the total is what paging finds', {
  'it counts one too many': [
    'GET /payment/list?search= as the Individual: expected 4 of 4 records, got 3.',
    onPages((_, asked) => isPlain(asked) && asked.caller?.reach.payments === 'own' && { total: 4 })
  ],
  'a page past the end has none': [
    'GET /assessment/list?search=&page=4&limit=1 as the Individual: the total is 0; without page and limit it was 3.',
    onPages(({ assessments }) => [assessments].flat().length === 0 && { total: 0 })
  ],
  'it comes as text': [
    "GET /payment/list?search= as the Individual: expected 'page' to be 1, got 1.",
    onPages(() => ({ page: '1' })),
    'every answer has the form of the list'
  ],
  'another page size without a limit': [
    'GET /payment/list?search= as the Admin: expected 12 of 31 records, got 10.',
    onPages(({ data }, { parameters }) => !parameters.has('limit') && { data: [data].flat().slice(0, 10) })
  ],
  'nobody has records': [
    'No caller sees any assessments, so nothing is checked: insert some into the database.',
    { isVisible: () => false },
    'every caller sees the records within their reach, and no others'
  ]
})

findsFaults(t, 'no record comes twice', {
  // As it happens when the database orders ties anew for each page. What stands nowhere else is missed.
  'each page begins with the last record of the one before': [
    'GET /payment/list?search=&page=2&limit=1 as the Individual: record # is also in the answer to GET /payment/list?search=&page=1&limit=1 as the Individual.',
    { offset: (asked) => rules.offset(asked) - (asked.page === 2 ? 1 : 0) },
    'in the order of the list',
    'every caller sees the records within their reach, and no others'
  ]
})

findsFaults(t, 'in the order of the list', {
  'the oldest come first': [
    'GET /payment/list?search=&page=1&limit=7 as the Admin: record 30 of 2024-02-01 12:00:00 comes after 99 of 2023-01-01 00:00:00.',
    { compare: (a, b) => a.created.localeCompare(b.created) || b.id - a.id }
  ],
  'another order for another page size': [
    'GET /assessment/list?search= as the Individual: record # is at the place of record # in GET /assessment/list?search=&page=1&limit=1 as the Individual.',
    { compare: (a, b, asked) => (asked.parameters.has('limit') ? rules.compare(a, b, asked) : a.id - b.id) }
  ]
})

findsFaults(t, 'every answer has the form of the list', {
  'a hook that adds to the body': [
    'GET /payment/list?search= as the Individual: took: Unexpected property, got 5.',
    onPages(() => ({ took: 5 }))
  ],
  'a hook that turns a number into a text': [
    'GET /payment/list?search= as the Individual: data/0/amount: Expected number, got "10.50".',
    onPages(({ data }) => ({ data: [data].flat().map((item) => ({ ...Object(item), amount: '10.50' })) }))
  ],
  'an answer that may be kept': [
    'GET /payment/list?search= as the Individual: expected the header cache-control: private, no-store, got public.',
    onStatus(200, () => ({ headers: { 'cache-control': 'public' } }))
  ]
})

t.test('of pages that follow a record, each but the last one has a next', async (t) => {
  const title = 'the total is what paging finds'
  const facts = { lists: [byAfter as unknown as List] }
  t.strictSame(await problemsOf(t, title, undefined, facts), [])
  let first: unknown
  const wrong = async (change: (body: Record<string, unknown>, url: string) => Record<string, unknown>) => {
    first = undefined
    return (await problemsOf(t, title, change, facts)).join()
  }
  const isPage = ({ tasks }: Record<string, unknown>) => Array.isArray(tasks)
  t.match(
    await wrong((body) => (isPage(body) ? { ...body, next: null } : body)),
    /as Admin: 'next' is undefined after 1 pages of 40 records\.$/
  )
  // The last page leads to the first one.
  const around = await wrong((body) => {
    if (!isPage(body)) return body
    first ??= body.next
    return { ...body, next: body.next ?? first }
  })
  t.match(around, /as Admin: 'next' is \S+ after 5 pages of 40 records\.$/)
  t.match(
    await wrong(({ limit, ...body }, url) => ({ ...body, limit: url.includes('after=') ? 1 : limit })),
    /as Admin: expected 'limit' to be 8, got 1\.$/
  )
})

t.test('a caller without records may be the last one, and one who may not see a list the only one', async (t) => {
  const { app } = handWritten({ isVisible: (entry, asked) => rules.isVisible(entry, asked) && entry.userId !== 30 })
  const { app: other, callers } = handWritten()
  const refused = callers.filter(({ reach }) => reach.assessments === 'none')
  t.equal(refused.length, 1)
  const lonely = callers.map((caller) => (caller.userId === 30 ? { ...caller, totals: { payments: 0 } } : caller))
  for (const host of [
    { app, callers: lonely },
    { app: other, callers: refused }
  ]) {
    for (const { name, run } of conformance(() => host)) await t.resolves(run(), name)
  }
})

t.test('the counts of every caller are totals, and a wrong one is found', async (t) => {
  t.strictSame(await problemsOf(t, 'counts'), [])
  const wrong = (body: Record<string, unknown>, url: string) =>
    url.includes('counts=state') ? { ...body, counts: { state: { open: 1, paid: 1, void: 1, lost: 4 } } } : body
  t.match(await problemsOf(t, 'counts', wrong), [
    /^tasks: the counts beside the filters are totals: .*counts=state.*: the count of state=\w+ is \d, and its total is \d+\.$/
  ])
  t.match(await problemsOf(t, 'counts', ({ counts: _counts, ...body }) => body), [
    /is undefined, and its total is \d+\.$/
  ])
})
