/**
 * Compares the thousandth page after a record with the first, with the thousandth by number and with a keyset query by hand,
 * the counts beside a filter with the slowest total of its values, and the record that the caller may not see with the one
 * that does not exist, among a million tasks.
 */
import { CompiledQuery, sql } from 'kysely'
import { column, createListings, defineList } from '../src/index.js'
import { fill, machine, medians, onEach, records, type Table } from './million.js'

const after = defineList({
  name: 'tasks',
  path: '/task/list',
  key: 'tasks',
  openapi: { name: 'Task', operationId: 'listTasks', summary: 'List tasks', description: 'Newest first.' },
  fields: {
    id: column.id({ examples: ['1'] }),
    state: column.enum(['open', 'paid', 'void'], { examples: ['open'] }),
    made_at: column.wallTime({ whenNull: 'error', examples: ['2026-03-01 09:30:00'] })
  },
  columns: { owner_id: column.id(), helper_id: column.id() },
  id: 'id',
  owner: 'owner_id',
  order: '-made_at',
  filters: { state: { counted: true, examples: ['open'] } },
  roles: { Boss: 'all', Owner: 'own', Coach: 'linked', Helper: [{ own: 'helper_id' }, { linked: 'owner_id' }] },
  record: { path: '/task/:id', key: 'task', messages: { found: 'Found.', notFound: 'No such task.' } },
  paging: 'after',
  messages: { found: 'Found.', forbidden: 'No.' }
})
const byNumber = after.extend({ paging: 'number' })

const rounds = 21
const limit = 12

/** Each owner has 20,000 tasks, and each helper 25,000. Coach 7 is linked to five owners, and coach 8 to 20,000. */
const table: Table = {
  name: 'tasks',
  columns: {
    owner_id: ['bigint', 'n * 7 % 50'],
    helper_id: ['bigint', 'n * 11 % 40'],
    state: ['varchar(9)', "case n % 3 when 0 then 'open' when 1 then 'paid' else 'void' end"]
  },
  time: 'made_at',
  indexes: ['made_at, id', 'owner_id, made_at, id', 'helper_id, made_at, id', 'state, made_at, id']
}
const others = [
  'create table links (owner_id bigint, user_id bigint)',
  `insert into links values ${[11, 12, 13, 14, 15].map((owner) => `(7, ${owner})`).join()}`,
  `insert into links values ${Array.from({ length: 20_000 }, (_, place) => `(8, ${place + 1000})`).join()}`,
  'create index links_of on links (owner_id, user_id)',
  'create table users (user_id bigint primary key)'
]

const reaches = {
  all: { userId: 7, role: 'Boss', where: '' },
  own: { userId: 7, role: 'Owner', where: 'owner_id = 7 and' },
  linked: {
    userId: 7,
    role: 'Coach',
    where: 'owner_id in (select user_id from links where owner_id = 7 union select 7) and'
  },
  union: {
    userId: 7,
    role: 'Helper',
    where: '(helper_id = 7 or owner_id in (select user_id from links where owner_id = 7)) and'
  }
}

console.log(`${machine}, ${records} tasks, medians of ${rounds}, milliseconds`)
await onEach(async (name, db) => {
  for (const statement of others) await sql.raw(statement).execute(db)
  await fill(db, name, table)
  const options = { db: db as never, resolveRole: () => null }
  const [following, numbered] = [
    createListings({ ...options, lists: [after] }),
    createListings({ ...options, lists: [byNumber] })
  ]
  for (const [reach, { where, ...caller }] of Object.entries(reaches)) {
    const pageAfter = (more: object) => following.find('tasks', { caller, query: { limit, ...more } })
    // The last record of page 999.
    const { items } = await numbered.find('tasks', { caller, query: { page: 999, limit } })
    const last = items.at(-1)
    let next: string | null | undefined
    for (let read = 0; read < 999; ) {
      const size = Math.min(8, 999 - read)
      const page = await pageAfter({ limit: size * limit, ...(next && { after: next }) })
      next = page.next
      read += size
    }
    const byHand = `select id, state, made_at from tasks where ${where} (made_at < '${last?.made_at.replace('T', ' ')}' or made_at = '${last?.made_at.replace('T', ' ')}' and id < ${last?.id}) order by made_at desc, id desc limit ${limit}`
    const [first = 0, thousandth = 0, number = 0, hand = 0] = await medians(
      rounds,
      () => pageAfter({}),
      () => pageAfter({ after: String(next) }),
      () => numbered.find('tasks', { caller, query: { page: 1000, limit } }),
      () => db.executeQuery(CompiledQuery.raw(byHand))
    )
    const ratio = (thousandth / first).toFixed(2)
    console.log(
      `${name}, ${reach}: page 1 ${first.toFixed(1)}, page 1,000 ${thousandth.toFixed(1)} (${ratio} times), by number ${number.toFixed(1)}, by hand ${hand.toFixed(1)}`
    )
    const values = ['open', 'paid', 'void'] as const
    const [counts = 0, without = 0, ...totals] = await medians(
      rounds,
      () => pageAfter({ counts: 'state' }),
      () => pageAfter({}),
      ...values.map((state) => () => pageAfter({ state, total: true }))
    )
    const pages = await medians(rounds, ...values.map((state) => () => pageAfter({ state })))
    const total = Math.max(...totals.map((time, place) => time - Number(pages[place])))
    console.log(
      `${name}, ${reach}: counts of a filter ${(counts - without).toFixed(1)}, the slowest total of its values ${total.toFixed(1)} (${((counts - without) / total).toFixed(2)} times)`
    )
    // Task 1 is of owner 7 and helper 11, and task 9 of owner 13 and helper 19. Caller 8 sees neither.
    const record = (id: string, userId: number) => () => following.get('tasks', id, { caller: { ...caller, userId } })
    const times = await medians(rounds, record('1', 7), record('9', 8), record('2000000', 8), record('abc', 8))
    const [seen, unseen, missing, noId] = times.map((time) => time.toFixed(1))
    console.log(
      `${name}, ${reach}: a record ${seen}, of others ${reach === 'all' ? '-' : unseen}, missing ${missing}, no id ${noId}`
    )
  }
})
