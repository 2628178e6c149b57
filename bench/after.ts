/**
 * Compares the thousandth page after a record with the first, with the thousandth by number and with a keyset query by hand,
 * the counts beside a filter with the slowest total of its values, the record that the caller may not see with the one
 * that does not exist, and pages of linked records with a filter, at several depths, with statements by hand, among a
 * million tasks.
 */
import { CompiledQuery, sql } from 'kysely'
import { column, createListings, defineList } from '../src/index.js'
import type { DatabaseName, Db } from '../test/support/servers/databases.js'
import { fill, machine, medians, onEach, records, type Table } from './million.js'

const listOf = (owner: 'owner_id' | 'client_id') =>
  defineList({
    name: 'tasks',
    path: '/task/list',
    key: 'tasks',
    openapi: { name: 'Task', operationId: 'listTasks', summary: 'List tasks', description: 'Newest first.' },
    fields: {
      id: column.id({ examples: ['1'] }),
      state: column.enum(['open', 'paid', 'void'], { examples: ['open'] }),
      made_at: column.wallTime({ whenNull: 'error', examples: ['2026-03-01 09:30:00'] })
    },
    columns: { owner_id: column.id(), helper_id: column.id(), client_id: column.id() },
    id: 'id',
    owner,
    order: '-made_at',
    filters: { state: { counted: true, examples: ['open'] } },
    roles: { Boss: 'all', Owner: 'own', Coach: 'linked', Helper: [{ own: 'helper_id' }, { linked: 'owner_id' }] },
    record: { path: '/task/:id', key: 'task', messages: { found: 'Found.', notFound: 'No such task.' } },
    paging: 'after',
    messages: { found: 'Found.', forbidden: 'No.' }
  })
const after = listOf('owner_id')
const byNumber = after.extend({ paging: 'number' })

const rounds = 21
const limit = 12

/**
 * Each owner has 20,000 tasks, each helper 25,000, and each client 50. Coach 7 is linked to five owners, and coach 8 to
 * 20,000. Coach 30001 is linked to five other owners, coach 30002 to 50 clients, and coach 30003 to 5,000.
 */
const table: Table = {
  name: 'tasks',
  columns: {
    owner_id: ['bigint', 'n * 7 % 50'],
    helper_id: ['bigint', 'n * 11 % 40'],
    client_id: ['bigint', 'n * 13 % 20000'],
    state: ['varchar(9)', "case n % 3 when 0 then 'open' when 1 then 'paid' else 'void' end"]
  },
  time: 'made_at',
  indexes: [
    'made_at, id',
    'owner_id, made_at, id',
    'helper_id, made_at, id',
    'client_id, made_at, id',
    'state, made_at, id'
  ]
}
const others = [
  'create table links (owner_id bigint, user_id bigint)',
  `insert into links values ${[11, 12, 13, 14, 15].map((owner) => `(7, ${owner})`).join()}`,
  `insert into links values ${Array.from({ length: 20_000 }, (_, place) => `(8, ${place + 1000})`).join()}`,
  `insert into links values ${[21, 22, 23, 24, 25].map((owner) => `(30001, ${owner})`).join()}`,
  `insert into links values ${Array.from({ length: 50 }, (_, place) => `(30002, ${place * 390})`).join()}`,
  `insert into links values ${Array.from({ length: 5000 }, (_, place) => `(30003, ${place * 3})`).join()}`,
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

/** The linked people, of whom a third of the tasks are open. */
const coaches = [
  { people: '5 people with 20,000 tasks each', owner: 'owner_id', userId: 30_001 },
  { people: '50 people with 50 tasks each', owner: 'client_id', userId: 30_002 },
  { people: '5,000 people with 50 tasks each', owner: 'client_id', userId: 30_003 }
] as const
const newest = 'order by r.made_at desc, r.id desc'

/** Pages of linked records with a filter. By hand, the better one of two statements counts. */
async function filteredPages(name: DatabaseName, db: Db): Promise<void> {
  const run = async (text: string) => (await db.executeQuery<{ id: unknown; at: string }>(CompiledQuery.raw(text))).rows
  for (const { people, owner, userId } of coaches) {
    const { find } = createListings({ db: db as never, resolveRole: () => null, lists: [listOf(owner)] })
    const linked = `select user_id from links where owner_id = ${userId}`
    const text = name === 'mysql' ? 'cast(r.made_at as char)' : 'cast(r.made_at as text)'
    const open = (cells: string, among: string) => `select ${cells} from tasks as r ${among} r.state = 'open'`
    const isIn = `where r.${owner} in (${linked}) and`
    const joined = `join (${linked} union select ${userId}) as v on v.user_id = r.${owner} where`
    const all = await run(`${open(`r.id, ${text} as at`, isIn)} ${newest}`)
    for (const share of [0, 0.3, 0.6, 0.9]) {
      const last = share > 0 ? all[Math.floor(all.length * share)] : undefined
      const place = last && JSON.stringify(['tasks', '-made_at', last.at, String(last.id)])
      const query = { limit, state: 'open', ...(place && { after: Buffer.from(place).toString('base64url') }) }
      // MySQL and MariaDB read no range for a row, and PostgreSQL reads none for an `or`.
      const isLater =
        name === 'mysql'
          ? `and (r.made_at < '${last?.at}' or r.made_at = '${last?.at}' and r.id < ${last?.id})`
          : `and (r.made_at, r.id) < ('${last?.at}', ${last?.id})`
      const byHand = (among: string) =>
        run(`${open('r.id, r.state, r.made_at', among)} ${last ? isLater : ''} ${newest} limit ${limit}`)
      const ours = () => find('tasks', { caller: { userId, role: 'Coach' }, query })
      const [found, expected] = [await ours(), await byHand(isIn)]
      if (found.items.map(({ id }) => id).join() !== expected.map(({ id }) => id).join())
        throw new Error(`${people}: another page by hand`)
      const [one = 0, ...others] = await medians(
        rounds,
        ours,
        () => byHand(isIn),
        () => byHand(joined)
      )
      const [among = 0, join = 0] = others
      console.log(
        `${name}, linked to ${people}, a filter, ${share * 100} % of the way: ${one.toFixed(1)}, by hand ${among.toFixed(1)} with in and ${join.toFixed(1)} with a join (${(one / Math.min(among, join)).toFixed(2)} times)`
      )
    }
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
  await filteredPages(name, db)
})
