import t from 'tap'
import { byNumber, callers, openTasks, rowOf } from '../../support/fixtures/tasks.js'
import { resolveRole, serve } from '../../support/hosts/server.js'
import { onDatabases } from '../../support/servers/databases.js'

// Random lists compare the counts with an oracle.
t.test('a filter is counted where the caller sees its column and the definition says so', async (t) => {
  const { db, insert } = await openTasks(t, 'sqlite')
  await insert(Array.from({ length: 120 }, (_, place) => rowOf(place + 1)))
  const { get } = await serve(t, { db, lists: [byNumber] as never, resolveRole })
  const hidden = await get('/task/list?counts=held', { userId: 1, role: 'Owner' })
  t.strictSame(
    [hidden.status, hidden.body.error],
    [400, "The query parameter 'counts' must be one of: state, only, noted."]
  )
  t.equal((await get('/task/list?counts=title', callers[7])).status, 400)
  t.equal((await get('/task/list?counts=', callers[7])).body.total, 120)
  const { text } = await get('/task/list?counts=state&counts=only&state=open&limit=1', callers[7])
  const { total, counts } = JSON.parse(text)
  t.strictSame([counts.only.open, counts.only.paid], [total, 0], 'the other filters hold')
  t.equal(counts.state.open, total)
  t.ok(counts.state.paid > 0, 'and its own filter does not')
})

onDatabases(t, 'a count beside a search and its own filter is the total of that value', async (t, name) => {
  const { db, insert } = await openTasks(t, name)
  await insert(Array.from({ length: 120 }, (_, place) => rowOf(place + 1)))
  const { get } = await serve(t, { db, lists: [byNumber] as never, resolveRole })
  const ask = async (query: string) => JSON.parse((await get(`/task/list?search=a&${query}`, callers[7])).text)
  const { counts } = await ask('counts=state&counts=only&state=open')
  for (const state of ['open', 'paid', 'void']) {
    t.equal(counts.state[state], (await ask(`state=${state}`)).total, state)
    t.equal(counts.only[state] ?? 0, (await ask(`state=open&only=${state}`)).total, `open and only ${state}`)
  }
})
