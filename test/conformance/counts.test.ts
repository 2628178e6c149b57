import t from 'tap'
import { problemsOf } from '../support/fixtures/tasks-conformance.js'

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
