/**
 * Compares the thousandth page after a record with the first, with the thousandth by number and with a keyset query by hand,
 * and the counts beside a filter with the slowest total of its values, among a million tasks.
 */
import { availableParallelism, cpus } from 'node:os'
import { CompiledQuery, sql } from 'kysely'
import { column, createListings, defineList } from '../../src/index.js'
import { type DatabaseName, type Db, dateTime, openDatabase } from '../../test/support/databases.js'

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
  paging: 'after',
  messages: { found: 'Found.', forbidden: 'No.' }
})
const byNumber = after.extend({ paging: 'number' })

const records = 1_000_000
const rounds = 21
const limit = 12

/** Each owner has 20,000 tasks, and each helper 25,000. Coach 7 is linked to five owners. */
async function fill(db: Db, name: DatabaseName): Promise<void> {
  const run = (text: string) => sql.raw(text).execute(db)
  await run(
    `create table tasks (id bigint primary key, owner_id bigint, helper_id bigint, state varchar(9), made_at ${dateTime(name)})`
  )
  await run('create table links (owner_id bigint, user_id bigint)')
  await run('create table users (user_id bigint primary key)')
  await run(`insert into links values ${[11, 12, 13, 14, 15].map((owner) => `(7, ${owner})`).join()}`)
  const numbers = {
    sqlite: `with recursive n as (select 1 as n union all select n + 1 from n where n < ${records}) insert into tasks select`,
    mysql: 'insert into tasks select',
    postgres: 'insert into tasks select'
  }
  const from = {
    sqlite: 'from n',
    mysql: `from (select seq as n from seq_1_to_${records}) as n`,
    postgres: `from generate_series(1, ${records}) as n`
  }
  const time = {
    sqlite: "datetime('2020-01-01', '+' || (n * 97) || ' seconds')",
    mysql: "date_add('2020-01-01', interval n * 97 second)",
    postgres: "timestamp '2020-01-01' + n * interval '97 seconds'"
  }
  const state = "case n % 3 when 0 then 'open' when 1 then 'paid' else 'void' end"
  await run(`${numbers[name]} n, n * 7 % 50, n * 11 % 40, ${state}, ${time[name]} ${from[name]}`)
  for (const columns of ['made_at, id', 'owner_id, made_at, id', 'helper_id, made_at, id', 'state, made_at, id']) {
    await run(`create index by_${columns.replace(/\W+/g, '_')} on tasks (${columns})`)
  }
  await run('create index links_of on links (owner_id, user_id)')
  await run(name === 'mysql' ? 'analyze table tasks' : 'analyze')
}

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

/** All in turns, so that a busy machine is busy for all. */
async function medians(...works: (() => Promise<unknown>)[]): Promise<number[]> {
  const times = works.map((): number[] => [])
  for (let round = 0; round < rounds; round++) {
    for (const [place, work] of works.entries()) {
      const start = performance.now()
      await work()
      times[place]?.push(performance.now() - start)
    }
  }
  return times.map((each) => each.sort((one, other) => one - other)[(rounds - 1) / 2] as number)
}

console.log(
  `${availableParallelism()} × ${cpus()[0]?.model}, Node.js ${process.version}, ${records} tasks, medians of ${rounds}, milliseconds`
)
for (const name of ['sqlite', 'mysql', 'postgres'] as const) {
  const ends: (() => unknown)[] = []
  const db = await openDatabase({ teardown: (end: () => unknown) => ends.push(end) } as never, name)
  await fill(db, name)
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
      () => pageAfter({ counts: 'state' }),
      () => pageAfter({}),
      ...values.map((state) => () => pageAfter({ state, total: true }))
    )
    const pages = await medians(...values.map((state) => () => pageAfter({ state })))
    const total = Math.max(...totals.map((time, place) => time - Number(pages[place])))
    console.log(
      `${name}, ${reach}: counts of a filter ${(counts - without).toFixed(1)}, the slowest total of its values ${total.toFixed(1)} (${((counts - without) / total).toFixed(2)} times)`
    )
  }
  for (const end of ends.reverse()) await end()
}
