/**
 * Compares a page and its total with the best statements by hand, for a caller of two roles and for one who sees all
 * records and some notes, among a million incidents.
 */
import { CompiledQuery } from 'kysely'
import { column, createListings, defineList } from '../src/index.js'
import type { DatabaseName } from '../test/support/databases.js'
import { fill, machine, medians, onEach, records, type Table } from './million.js'

const incidents = defineList({
  name: 'incidents',
  path: '/incident/list',
  key: 'incidents',
  openapi: { name: 'Incident', operationId: 'listIncidents', summary: 'List incidents', description: 'Newest first.' },
  fields: {
    id: column.id({ examples: ['1'] }),
    place: column.text({ examples: ['yard'] }),
    notes: column.text({ roles: ['Counsellor'], examples: ['Cried.'] }),
    happened_at: column.wallTime({ whenNull: 'error', examples: ['2026-03-01 09:30:00'] })
  },
  columns: { pupil_id: column.id(), counsellor_id: column.id() },
  id: 'id',
  order: '-happened_at',
  filters: { has_notes: { column: 'notes', present: true } },
  roles: {
    Parent: { own: 'pupil_id', callerId: 'pupil' },
    Counsellor: { own: 'counsellor_id' },
    Inspector: 'all'
  },
  messages: { found: 'Found.', forbidden: 'No.' }
})

const rounds = 41

/** Pupil 7 has 40 records, and counsellor 3 has 4,000. */
const table = (database: DatabaseName): Table => ({
  name: 'incidents',
  columns: {
    pupil_id: ['bigint', 'n * 7 % 25000'],
    counsellor_id: ['bigint', 'n * 11 % 250'],
    place: ['varchar(20)', "'yard'"],
    notes: ['varchar(40)', database === 'mysql' ? "concat('note ', n)" : "'note ' || n"]
  },
  time: 'happened_at',
  indexes: ['happened_at, id', 'pupil_id, happened_at, id', 'counsellor_id, happened_at, id']
})

const newest = 'order by happened_at desc, id desc limit 12'
const branch = (column: string, id: number) =>
  `select * from (select id, happened_at from incidents where ${column} = ${id} ${newest}) as ${column}`

/** The page, and its total. The records of each role are found by an index of their own. */
const byHand = {
  'two roles': [
    `select r.id, r.place, case when r.counsellor_id = 3 then r.notes end as notes, r.happened_at from (select * from (${branch('pupil_id', 7)} union ${branch('counsellor_id', 3)}) as u ${newest}) as k join incidents as r on r.id = k.id order by r.happened_at desc, r.id desc`,
    'select count(*) from (select id from incidents where pupil_id = 7 union select id from incidents where counsellor_id = 3) as u'
  ],
  'all, and notes of some': [
    `select id, place, case when counsellor_id = 3 then notes end as notes, happened_at from incidents ${newest}`,
    'select count(*) from incidents'
  ],
  'two roles, a filter by notes': [
    `select id, place, notes, happened_at from incidents where counsellor_id = 3 and notes <> '' ${newest}`,
    "select count(*) from incidents where counsellor_id = 3 and notes <> ''"
  ]
}

const asked = {
  'two roles': { role: ['Parent', 'Counsellor'], query: {} },
  'all, and notes of some': { role: ['Inspector', 'Counsellor'], query: {} },
  'two roles, a filter by notes': { role: ['Parent', 'Counsellor'], query: { has_notes: true } }
}

console.log(`${machine}, ${records} incidents, medians of ${rounds}`)
await onEach(async (name, db) => {
  await fill(db, name, table(name))
  const { find } = createListings({ db: db as never, resolveRole: () => null, lists: [incidents] })
  for (const [what, { role, query }] of Object.entries(asked)) {
    const ours = () => find('incidents', { caller: { userId: 3, role, ids: { pupil: 7 } }, query })
    const hand = async () => {
      const rows = []
      for (const text of byHand[what as keyof typeof byHand])
        rows.push((await db.executeQuery(CompiledQuery.raw(text))).rows)
      return rows
    }
    const [{ total, items }, [page, counted]] = [await ours(), await hand()]
    const [count] = Object.values(Object(counted?.[0]))
    if (Number(count) !== total || page?.length !== items.length) throw new Error(`${what}: ${total} is not ${count}`)
    const [one = 0, other = 0] = await medians(rounds, ours, hand)
    const ratio = (one / other).toFixed(2)
    console.log(`${name}, ${what} (${total}): ${one.toFixed(1)} ms, by hand ${other.toFixed(1)} ms, ${ratio} times`)
  }
})
