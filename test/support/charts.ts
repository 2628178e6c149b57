/** The charts of a hospital: fields of several roles, two fields of one column, and orders by columns that may be empty. */
import { column, createListings, defineList } from '../../src/index.js'
import { execute } from './check.js'
import { type DatabaseName, type Db, dateTime } from './databases.js'

export const charts = defineList({
  name: 'charts',
  path: '/chart/list',
  key: 'charts',
  openapi: { name: 'Chart', operationId: 'listCharts', summary: 'List charts', description: 'Newest first.' },
  fields: {
    id: column.id({ examples: ['1'] }),
    ward: column.text({ whenNull: 'null', examples: ['north'] }),
    email: { column: 'users.email', roles: ['Clerk'], examples: ['zoe@example.org'] },
    note: column.text({ roles: ['Physician'], examples: ['HIV'] }),
    code: column.text({ whenNull: 'error', roles: ['Physician', 'Chief'], examples: ['A1'] }),
    cost: column.integer({ whenNull: 'null', roles: ['Clerk'], examples: [5] }),
    price: { column: 'cost', roles: ['Auditor'], examples: [5] },
    level: column.enum(['low', 'mid', 'high'], { whenNull: 'null', examples: ['low'] }),
    day: column.date({ whenNull: 'null', examples: ['2026-03-01'] }),
    made_at: column.wallTime({ whenNull: 'error', examples: ['2026-03-01 09:30:00'] })
  },
  columns: {
    patient_id: column.id({ whenNull: 'null' }),
    physician_id: column.id(),
    clerk_id: column.id({ whenNull: 'null' }),
    region: column.text({ whenNull: 'null' })
  },
  id: 'id',
  owner: 'patient_id',
  order: '-made_at',
  search: { columns: ['ward', 'note', 'users.email'], examples: ['north'] },
  filters: { cost: { range: true }, has_note: { column: 'note', present: true }, level: { examples: ['low'] } },
  sort: ['cost', 'note', 'code', 'ward', 'level', 'day', 'id'],
  roles: {
    Physician: { own: 'physician_id' },
    Clerk: { own: 'clerk_id', callerId: 'clerk' },
    Auditor: { where: { region: null } },
    Head: 'all',
    Chief: 'all',
    Cook: 'none'
  },
  record: { path: '/chart/:id', key: 'chart', messages: { found: 'Found.', notFound: 'None.' } },
  messages: { found: 'Found.', forbidden: 'No.' }
})

/** Physician 7 has the charts 1, 2 and 3, and clerk 9 has 1, 3, 4 and 5. Auditors see 2, 5 and 8, whose region is empty. */
const rows = [
  "(1, 1, 7, 9, 'south', 'north', 'hiv', 'b', 5, 'low', '2026-01-05')",
  "(2, 2, 7, 8, null, 'south', 'flu', '', 9, 'high', null)",
  "(3, 1, 7, 9, 'south', null, '', 'a', null, null, '2026-01-03')",
  "(4, 2, 6, 9, 'north', 'north', 'hiv', 'a', 2, 'mid', '2026-01-09')",
  "(5, null, 6, 9, '', '', 'hip', 'a', 7, null, null)",
  "(6, 2, 6, 8, 'north', 'east', 'flu', 'c', 1, 'high', '2026-01-01')",
  "(7, 1, 6, 8, 'west', null, 'hiv', 'b', null, 'low', '2026-01-09')",
  "(8, 2, 6, null, null, 'north', null, 'a', 3, 'mid', null)"
]

export async function createCharts(db: Db, name: DatabaseName): Promise<void> {
  const level = name === 'mysql' ? "enum('low', 'mid', 'high')" : 'varchar(9)'
  const made = rows.map((row, place) => row.replace(/\)$/, `, '2026-03-0${place + 1} 09:30:00')`))
  await execute(
    db,
    'create table users (user_id bigint primary key, first_name text, last_name text, email varchar(90), avatar_url text)',
    "insert into users values (1, 'Zo', 'B', 'one@x', null), (2, 'Jo', 'N', 'nine@x', null)",
    `create table charts (id bigint primary key, patient_id bigint, physician_id bigint, clerk_id bigint, region varchar(9), ward varchar(9), note varchar(9), code varchar(9), cost int, level ${level}, day date, made_at ${dateTime(name)})`,
    `insert into charts values ${made.join(', ')}`
  )
}

/** Asks as caller 7, who is also clerk 9. Each item is its id and the fields that only some roles get. */
export function askCharts(db: Db, list = charts) {
  const { find, each, get } = createListings({ db: db as never, resolveRole: () => null, lists: [list] })
  const callerOf = (role: string | string[], ids: object = { clerk: 9 }) => ({ userId: 7, role, ids }) as never
  const ids = (items: readonly { id: string }[]) => items.map(({ id }) => id).join(' ')
  return {
    callerOf,
    get,
    /** The ids of a page, whose total is the number of all records unless the query has a limit. */
    async page(role: string | string[], query: object = {}, more?: object): Promise<string> {
      const { items } = await find('charts', { caller: callerOf(role, more), query } as never)
      return ids(items as never)
    },
    async total(role: string | string[], query: object = {}): Promise<number> {
      const { total } = await find('charts', { caller: callerOf(role), query } as never)
      return Number(total)
    },
    async each(role: string | string[], query: object = {}): Promise<string> {
      const items = []
      for await (const item of each('charts', { caller: callerOf(role), query } as never)) items.push(item)
      return ids(items as never)
    },
    /** All pages of so many records, one after the other. */
    async pages(role: string | string[], query: object, limit: number): Promise<string> {
      const found: { id: string }[] = []
      for (let page = 1, total = 1; (page - 1) * limit < total; page++) {
        const answer = await find('charts', { caller: callerOf(role), query: { ...query, page, limit } } as never)
        found.push(...(answer.items as { id: string }[]))
        total = Number(answer.total)
      }
      return ids(found)
    },
    async walk(role: string | string[], query: object, limit: number): Promise<string> {
      const found: { id: string }[] = []
      for (let next: string | null | undefined; next !== null; ) {
        const more = { limit, ...(next && { after: next }) }
        const answer = await find('charts', { caller: callerOf(role), query: { ...query, ...more } } as never)
        found.push(...(answer.items as { id: string }[]))
        next = (answer as unknown as { next: string | null }).next
      }
      return ids(found)
    }
  }
}
