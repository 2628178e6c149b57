import t from 'tap'
import {
  byNumber,
  callers,
  countsOf,
  isSeen,
  matches,
  openTasks,
  pick,
  random,
  randomQuery,
  rowOf,
  seesHeld,
  urlOf
} from '../../support/fixtures/tasks.js'
import { resolveRole, serve } from '../../support/hosts/server.js'
import { onDatabases } from '../../support/servers/databases.js'

onDatabases(t, 'counts are those of an oracle, and the totals of their own requests', async (t, name) => {
  const { db, insert, links } = await openTasks(t, name)
  const rows = Array.from({ length: 120 }, (_, place) => rowOf(place + 1))
  await insert(rows)
  const { get } = await serve(t, { db, lists: [byNumber] as never, resolveRole })
  let wrong = 0
  for (let step = 0; step < (name === 'sqlite' ? 1500 : 400); step++) {
    const caller = pick(callers)
    const query = randomQuery(caller)
    const names = ['state', 'only', 'noted', ...(seesHeld(caller) ? ['held'] : [])].filter(() => random(2) === 0)
    const { status, text } = await get(urlOf('/task/list', { ...query, counts: names, limit: '3' }), caller)
    const seen = rows.filter((row) => isSeen(caller, row, links))
    const body = JSON.parse(text)
    const expected = names.length > 0 ? countsOf(seen, query, names) : undefined
    const total = seen.filter((row) => matches(row, query)).length
    if (status !== 200 || JSON.stringify(body.counts) !== JSON.stringify(expected) || body.total !== total) {
      if (wrong++ === 0) t.strictSame([body, caller, query], [expected, total])
    }
  }
  t.equal(wrong, 0)
  const hidden = await get('/task/list?counts=held', { userId: 1, role: 'Owner' })
  t.strictSame(
    [hidden.status, hidden.body.error],
    [400, "The query parameter 'counts' must be one of: state, only, noted."]
  )
  t.equal((await get('/task/list?counts=title', callers[7])).status, 400)
  t.equal((await get('/task/list?counts=', callers[7])).body.total, 120)
})
