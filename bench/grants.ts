/**
 * Compares a page and its total with the best statements by hand, for a caller of two roles, for one who sees all records
 * and some notes, for own records with a search and for linked ones, and pages by a column that is empty in a third of the
 * records with pages by one that is never empty, among a million incidents.
 */
import { CompiledQuery, sql } from 'kysely'
import { column, createListings, defineList } from '../src/index.js'
import type { DatabaseName } from '../test/support/servers/databases.js'
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
    grade: column.integer({ whenNull: 'null', roles: ['Counsellor'], examples: [3] }),
    minutes: column.integer({ examples: [30] }),
    pause: column.integer({ whenNull: 'null', examples: [5] }),
    happened_at: column.wallTime({ whenNull: 'error', examples: ['2026-03-01 09:30:00'] })
  },
  columns: { pupil_id: column.id(), counsellor_id: column.id() },
  id: 'id',
  owner: 'pupil_id',
  order: '-happened_at',
  search: { columns: ['place', 'notes'], examples: ['yard'] },
  filters: { has_notes: { column: 'notes', present: true }, grade: { range: true } },
  sort: ['grade', 'minutes', 'pause'],
  roles: {
    Parent: { own: 'pupil_id', callerId: 'pupil' },
    Counsellor: { own: 'counsellor_id' },
    Inspector: 'all',
    Pupil: 'own',
    Teacher: 'linked',
    Warden: [{ own: 'pupil_id', callerId: 'pupil' }, { where: { place: 'hall' } }]
  },
  messages: { found: 'Found.', forbidden: 'No.' }
})
const ofPupils = incidents.extend({ search: { columns: ['users.email'] }, unshown: ['users.email'] })

const rounds = 41

/** Pupil 7 has 40 records, and counsellor 3 has 4,000. */
const table = (database: DatabaseName): Table => ({
  name: 'incidents',
  columns: {
    pupil_id: ['bigint', 'n * 7 % 25000'],
    counsellor_id: ['bigint', 'n * 11 % 250'],
    place: ['varchar(20)', "case when n % 5 = 0 then 'hall' else 'yard' end"],
    notes: ['varchar(40)', database === 'mysql' ? "concat('note ', n)" : "'note ' || n"],
    grade: ['integer', 'case when n % 3 > 0 then n * 13 % 9973 end'],
    minutes: ['integer', 'n * 17 % 9973'],
    pause: ['integer', 'case when n % 3 > 0 then n * 19 % 9973 end']
  },
  time: 'happened_at',
  indexes: [
    ...['happened_at, id', 'pupil_id, happened_at, id', 'counsellor_id, happened_at, id'],
    ...['grade, id', 'minutes, id', 'pause, id', 'place, happened_at, id']
  ]
})

/** Teacher 3 is linked to 50 pupils, and teacher 4 to 5,000. */
const others = [
  'create table users (user_id bigint primary key, first_name text, last_name text, email text, avatar_url text)',
  "insert into users (user_id, email) select distinct pupil_id, concat('pupil', pupil_id, '@school') from incidents",
  'create table links (owner_id bigint, user_id bigint, primary key (owner_id, user_id))',
  'insert into links select distinct 3, pupil_id from incidents where pupil_id % 500 = 0',
  'insert into links select distinct 4, pupil_id from incidents where pupil_id % 5 = 0'
]

const newest = 'order by happened_at desc, id desc limit 12'
const branch = (column: string, id: number | string) =>
  `select * from (select id, happened_at from incidents where ${column} = ${id} ${newest}) as ${column}`
const shown = 'id, place, case when counsellor_id = 3 then notes end as notes, happened_at'
const both = 'select id from incidents where pupil_id = 7 union select id from incidents where counsellor_id = 3'
const ofBoth = `incidents join (${both}) as u using (id)`
const graded = 'counsellor_id = 3 and grade is not null'
const like = (column: string) => `${column} like '%note 77%'`
const found = `(${like('place')} or (${like('notes')} and counsellor_id = 3))`
const searched = `incidents left join users on user_id = pupil_id
  where pupil_id = 3 and (place like '%pupil3%' or email like '%pupil3%')`
const pupils = (teacher: number) =>
  `select user_id as pupil_id from links where owner_id = ${teacher} union select ${teacher}`
const linked = (teacher: number) => `incidents join (${pupils(teacher)}) as v using (pupil_id)`
/** As the lists search: PostgreSQL's `like` counts case. */
const ofDatabase = (text: string, database: DatabaseName) =>
  database === 'postgres' ? text.replaceAll(' like ', ' ilike ') : text

/** The page, and its total. The records of each role are found by an index of their own. */
const byHand = {
  'two roles': [
    `select r.id, r.place, case when r.counsellor_id = 3 then r.notes end as notes, r.happened_at from (select * from (${branch('pupil_id', 7)} union ${branch('counsellor_id', 3)}) as u ${newest}) as k join incidents as r on r.id = k.id order by r.happened_at desc, r.id desc`,
    'select count(*) from (select id from incidents where pupil_id = 7 union select id from incidents where counsellor_id = 3) as u'
  ],
  'an id or a condition': [
    `select r.id, r.place, r.happened_at from (select * from (${branch('pupil_id', 7)} union ${branch('place', "'hall'")}) as u ${newest}) as k join incidents as r on r.id = k.id order by r.happened_at desc, r.id desc`,
    "select count(*) from incidents where pupil_id = 7 or place = 'hall'"
  ],
  'all, and notes of some': [
    `select id, place, case when counsellor_id = 3 then notes end as notes, happened_at from incidents ${newest}`,
    'select count(*) from incidents'
  ],
  'two roles, a filter by notes': [
    `select id, place, notes, happened_at from incidents where counsellor_id = 3 and notes <> '' ${newest}`,
    "select count(*) from incidents where counsellor_id = 3 and notes <> ''"
  ],
  'two roles, two filters': [
    `select id, place, notes, happened_at from incidents where ${graded} and notes <> '' and grade >= 5000 ${newest}`,
    `select count(*) from incidents where ${graded} and notes <> '' and grade >= 5000`
  ],
  'two roles, a search': [
    `select ${shown} from ${ofBoth} where ${found} ${newest}`,
    `select count(*) from ${ofBoth} where ${found}`
  ],
  'two roles, a sort by grade': [
    `select ${shown}, case when ${graded} then 0 else 1 end as lacks from ${ofBoth} order by lacks, case when ${graded} then grade end, id limit 12`,
    `select count(*) from (${both}) as u`
  ],
  'all, a filter by notes of some': [
    `select id, place, notes, happened_at from incidents where counsellor_id = 3 and notes <> '' ${newest}`,
    "select count(*) from incidents where counsellor_id = 3 and notes <> ''"
  ],
  'all, a search in notes of some': [
    `select ${shown} from incidents where ${found} ${newest}`,
    `select count(*) from incidents where ${found}`
  ],
  'all, a sort by grades of some': [
    `select ${shown} from incidents where ${graded} order by grade, id limit 12`,
    'select count(*) from incidents'
  ],
  'own, a search': [`select id, place, happened_at from ${searched} ${newest}`, `select count(*) from ${searched}`],
  'linked to 50': [
    `select id, place, happened_at from (select id from ${linked(3)} ${newest}) as k join incidents using (id) order by happened_at desc, id desc`,
    `select count(*) from ${linked(3)}`
  ],
  'linked to 5,000': [
    `select id, place, happened_at from incidents where pupil_id in (${pupils(4)}) ${newest}`,
    `select count(*) from ${linked(4)}`
  ]
}

const asked = {
  'two roles': { role: ['Parent', 'Counsellor'], query: {} },
  'an id or a condition': { role: ['Warden'], query: {} },
  'all, and notes of some': { role: ['Inspector', 'Counsellor'], query: {} },
  'two roles, a filter by notes': { role: ['Parent', 'Counsellor'], query: { has_notes: true } },
  'two roles, two filters': { role: ['Parent', 'Counsellor'], query: { has_notes: true, grade_from: 5000 } },
  'two roles, a search': { role: ['Parent', 'Counsellor'], query: { search: 'note 77' } },
  'two roles, a sort by grade': { role: ['Parent', 'Counsellor'], query: { sort: 'grade' } },
  'all, a filter by notes of some': { role: ['Inspector', 'Counsellor'], query: { has_notes: true } },
  'all, a search in notes of some': { role: ['Inspector', 'Counsellor'], query: { search: 'note 77' } },
  'all, a sort by grades of some': { role: ['Inspector', 'Counsellor'], query: { sort: 'grade' } }
} as const
const askedOfPupils = {
  'own, a search': { userId: 3, role: 'Pupil', query: { search: 'pupil3' } },
  'linked to 50': { userId: 3, role: 'Teacher', query: {} },
  'linked to 5,000': { userId: 4, role: 'Teacher', query: {} }
} as const

console.log(`${machine}, ${records} incidents, medians of ${rounds}`)
await onEach(async (name, db) => {
  await fill(db, name, table(name))
  for (const statement of others) await sql.raw(statement).execute(db)
  await sql.raw(name === 'mysql' ? 'analyze table users, links' : 'analyze').execute(db)
  const options = { db: db as never, resolveRole: () => null }
  const { find } = createListings({ ...options, lists: [incidents] })
  const { find: findOfPupils } = createListings({ ...options, lists: [ofPupils] })
  const compare = async (what: keyof typeof byHand, ours: () => ReturnType<typeof find>) => {
    const hand = async () => {
      const rows = []
      for (const text of byHand[what])
        rows.push((await db.executeQuery(CompiledQuery.raw(ofDatabase(text, name)))).rows)
      return rows
    }
    const [{ total, items }, [page, counted]] = [await ours(), await hand()]
    const [count] = Object.values(Object(counted?.[0]))
    if (Number(count) !== total || page?.length !== items.length) throw new Error(`${what}: ${total} is not ${count}`)
    const [one = 0, other = 0] = await medians(rounds, ours, hand)
    const ratio = (one / other).toFixed(2)
    console.log(`${name}, ${what} (${total}): ${one.toFixed(1)} ms, by hand ${other.toFixed(1)} ms, ${ratio} times`)
  }
  for (const [what, { role, query }] of Object.entries(asked))
    await compare(what as keyof typeof asked, () =>
      find('incidents', { caller: { userId: 3, role, ids: { pupil: 7 } }, query })
    )
  for (const [what, { query, ...caller }] of Object.entries(askedOfPupils))
    await compare(what as keyof typeof askedOfPupils, () => findOfPupils('incidents', { caller, query }))
  const caller = { userId: 3, role: 'Inspector' }
  for (const page of [1, 2, 1000, 60_000]) {
    const by = (sort: 'pause' | '-pause' | 'minutes') => () => find('incidents', { caller, query: { sort, page } })
    const [up = 0, down = 0, never = 0] = await medians(page > 2 ? 7 : rounds, by('pause'), by('-pause'), by('minutes'))
    const ratios = [up, down].map((time) => (time / never).toFixed(2)).join(' and ')
    console.log(
      `${name}, page ${page} by a column that may be empty: ${up.toFixed(1)} and ${down.toFixed(1)} ms, by one that is never empty ${never.toFixed(1)} ms, ${ratios} times`
    )
  }
})
