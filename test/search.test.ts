import { CompiledQuery } from 'kysely'
import t from 'tap'
import { openTables } from './support/check.js'
import { databases } from './support/databases.js'
import { readsOf } from './support/explain.js'
import { serve } from './support/server.js'

const people = Array.from({ length: 3000 }, (_, index) => ({
  user_id: index + 1,
  first_name: 'Ann',
  last_name: `Lee ${index}`,
  email: `${index}@example.org`,
  avatar_url: null
}))
const payment = {
  amount: 1,
  quantity: 1,
  payment_intent: 'pi',
  paid_at: null,
  payment_method: '',
  payment_status: '',
  processor_status: 'pending',
  created_at: '2024-01-01 00:00:00'
}

for (const name of databases) {
  t.test(`a search of one user's and of linked users' records looks up these users only, on ${name}`, async (t) => {
    const statements: CompiledQuery[] = []
    const db = await openTables(t, name, { onQuery: (query) => statements.push(query) })
    for (let from = 0; from < people.length; from += 1000) {
      const some = people.slice(from, from + 1000)
      await db.insertInto('users').values(some).execute()
      await db
        .insertInto('payments')
        .values(some.map(({ user_id }) => ({ ...payment, user_id, payment_intent: `pi_${user_id}` })))
        .execute()
    }
    await db
      .insertInto('links')
      .values([2, 3, 4].map((user_id) => ({ owner_id: 1, user_id })))
      .execute()
    for (const table of ['users', 'payments', 'links']) {
      await db.executeQuery(CompiledQuery.raw(`analyze ${name === 'mysql' ? 'table ' : ''}${table}`))
    }
    const { get } = await serve(t, { db, visibility: { payments: { Practitioner: 'linked' } } })
    for (const [role, total] of [
      ['Individual', 1],
      ['Practitioner', 4]
    ] as const) {
      statements.length = 0
      t.match((await get('/payment/list?search=@example&limit=1', { userId: 1, role })).body, { total })
      const sent = statements.filter(({ sql }) => /record creation|count\(\*\)/.test(sql))
      for (const statement of sent) {
        const reads = await readsOf(db, name, statement)
        const users = reads.filter(({ table }) => ['u', 'users'].includes(table))
        t.ok(users.length > 0)
        t.strictSame(
          users.filter(({ access }) => access !== 'lookup'),
          [],
          role
        )
      }
    }
  })
}
