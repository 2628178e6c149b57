/** A list that uses everything that a definition can say gives what the oracle expects, on each database. */
import { sql } from 'kysely'
import t from 'tap'
import { checkDatabase, createListings, defineOptions, formatFindings, payments } from '../../src/index.js'
import { expectedLessons, lessons, lessonTables, openLessons } from '../support/fixtures/lessons.js'
import { profiles } from '../support/fixtures/profiles.js'
import { admin, individual } from '../support/fixtures/world.js'
import { resolveRole, serve, shown } from '../support/hosts/server.js'
import { databases, dateTime, onDatabases } from '../support/servers/databases.js'
import { openWorld } from '../support/servers/tables.js'

/** One of each reach. */
const callers = [
  { userId: 1, role: 'Student' },
  { userId: 10, role: 'Instructor' },
  { userId: 10, role: 'Practitioner' },
  admin
]

const queries = [
  '',
  ...['held=true', 'held=false', 'held='],
  ...['state=booked&state=done', 'state=moved&state=&state=moved', 'state=&state='],
  'unit_name=Park&unit_name=Strasse_1&unit_name=Par%25',
  'student_id=2',
  ...['has_instructor=false', 'has_instructor=true&state=done', 'has_note=true', 'has_note=false'],
  ...['paid=false', 'paid=true'],
  ...['day_from=2026-06-02&day_to=2026-06-04', 'day_to=2026-06-02'],
  ...['minutes_from=45&minutes_to=60', 'price_from=12.5', 'price_from=-1&price_to=12.50'],
  // A range of times has its first moment and its last day, and not its last moment.
  'starts_from=2026-06-02T09:30:00&starts_to=2026-06-04',
  'starts_from=2026-06-03&starts_to=2026-06-03',
  'starts_from=2026-06-02T09:30:00&starts_to=2026-06-02',
  ...['starts_to=2026-06-02T00:00:00', 'starts_to=2026-06-02T09:30:00.001'],
  'starts_from=2026-06-02T09:30:00.001',
  'starts_from=0001-01-01&starts_to=9999-12-31',
  ...['sort=minutes', 'sort=-minutes', 'sort=-starts_at', 'sort=day&held=true', 'sort=-unit_name', 'sort=-lesson_id'],
  ...['search=Ada%20Love', 'search=stra%C3%9Fe', 'search=Ada&sort=-minutes', 'search=%20&state=done'],
  'search=park&sort=-day&minutes_from=45&state=booked&state=done'
]

const sorts = ['starts_at', 'minutes', 'day', 'unit_name', 'lesson_id'].flatMap((name) => [name, `-${name}`])

/** Wrong parameters, each with the end of its error. An empty text is no error. */
const refused: [query: string, name: string, error: string][] = [
  ['held=yes', 'held', 'must be one of: true, false.'],
  ['held=true&held=false', 'held', 'must be given only once.'],
  ['state=booked&state=gone', 'state', 'must be one of: booked, moved, done.'],
  ['unit_name=Park&'.repeat(51), 'unit_name', 'must be given at most 50 times.'],
  ['has_note=1', 'has_note', 'must be one of: true, false.'],
  ['day_from=2026-6-1', 'day_from', 'must be a date in the form YYYY-MM-DD.'],
  ['day_from=2026-02-30', 'day_from', 'must be a date in the form YYYY-MM-DD.'],
  ['day_from=2026-06-03&day_to=2026-06-02', 'day_from', "must not be greater than 'day_to'."],
  ['minutes_from=1.5', 'minutes_from', 'must be a whole number such as 12 or -3, with at most 16 digits.'],
  [
    'price_to=1e3',
    'price_to',
    'must be a number such as 12 or -3.5, with at most 16 digits before the point and 10 after it.'
  ],
  ['price_from=9&price_to=10', '', ''],
  ['price_from=9.50&price_to=9.5', '', ''],
  ['price_from=-0.5&price_to=-0.4', '', ''],
  ['price_from=1234567890.12&price_to=1234567890.1199999999', 'price_from', "must not be greater than 'price_to'."],
  ['starts_from=2026-06-03&starts_to=2026-06-02', 'starts_from', "must not be greater than 'starts_to'."],
  ['starts_from=2026-06-03T00:00:00&starts_to=2026-06-02', 'starts_from', "must not be greater than 'starts_to'."],
  ['price_from=10&price_to=9', 'price_from', "must not be greater than 'price_to'."],
  [
    'starts_to=2026-06-02T09:30:00Z',
    'starts_to',
    'must be a date and time in the form YYYY-MM-DD or YYYY-MM-DDThh:mm:ss.'
  ],
  ['sort=price', 'sort', `must be one of: ${sorts.join(', ')}.`],
  ['sort=day&sort=minutes', 'sort', 'must be given only once.']
]

onDatabases(t, 'lessons: every filter, order and reach gives what the oracle expects', async (t, name) => {
  const db = await openLessons(t, name)
  const options = defineOptions({ db, resolveRole, lists: [lessons], tables: lessonTables(db, name) })
  const { get } = await serve(t, options)
  const pages = ['page=1&limit=100', 'page=2&limit=5', 'page=3&limit=3']
  for (const query of pages.flatMap((page) => queries.map((query) => `${page}&${query}`))) {
    for (const caller of callers) {
      const answer = shown(await get(`/lesson/list?${query}`, caller))
      t.strictSame(answer, expectedLessons(query, caller), `${query} as ${caller.role}`)
    }
  }
  for (const [query, name, error] of refused) {
    const { body } = await get(`/lesson/list?${query}`, admin)
    t.equal(body.error, error === '' ? undefined : `The query parameter '${name}' ${error}`, query.slice(0, 60))
  }

  const told = await checkDatabase({ ...options, db })
  t.strictSame(
    told.filter(({ level, remedy }) => level === 'error' || remedy !== 'indexes'),
    []
  )
  const findings = formatFindings(told).replaceAll(/["`]/g, '')
  const indexes = [
    ...['day', 'instructor_id, starts_at', 'minutes', 'note, starts_at', 'price', 'starts_at', 'state, starts_at'],
    ...['student_id, starts_at', 'unit_name', 'unit_name, starts_at']
  ]
  t.strictSame(
    findings.match(/lessons \(.*\)/g)?.sort(),
    indexes.map((columns) => `lessons (${columns}, lesson_id)`)
  )
})

onDatabases(t, 'an id that is also the owner is compared exactly', async (t, name) => {
  const db = await openWorld(t, name)
  await sql.raw(`create table profiles (user_id varchar(10), made_at ${dateTime(name)})`).execute(db)
  const made_at = '2024-03-01 09:30:00'
  const rows = ['12', '12abc', '012', '12.0', '13'].map((user_id) => ({ user_id, made_at }))
  await db.insertInto('profiles').values(rows).execute()
  const { get } = await serve(t, defineOptions({ db, resolveRole, lists: [profiles] }))
  const { body } = await get('/profile/list', { userId: 12, role: 'Individual' })
  t.match(body, { total: 1, data: [{ user_id: '12' }] })
})

t.test('the schema of the query has each parameter', (t) => {
  t.match(lessons.query.properties, {
    state: {
      type: 'array',
      maxItems: 50,
      items: { enum: ['booked', 'moved', 'done'] },
      examples: [['booked', 'moved']]
    },
    held: { type: 'boolean' },
    has_instructor: { type: 'boolean', description: 'With or without an instructor.' },
    has_note: { description: 'true: only records with a value of note. false: only records without one.' },
    day_from: { description: 'From this day.' },
    day_to: { description: 'To this day.' },
    minutes_from: { type: 'integer', description: 'Only records by their minutes. This number or a greater one.' },
    price_to: { type: 'number', description: 'Only records by their price. This number or a smaller one.' },
    starts_to: {
      description: 'Only records by their starts time. Before this time, or until the end of this day.'
    },
    sort: { enum: sorts }
  })
  t.end()
})

t.test('tenants whose columns have other types share no statement', async (t) => {
  const tenants = await Promise.all(databases.map((name) => openLessons(t, name)))
  const [first] = tenants
  const texts = await openLessons(t, 'sqlite')
  const cast = ['student_id', 'minutes', 'price', 'held'] as const
  const others = Object.keys(lessons.columns).filter((column) => !cast.some((name) => name === column))
  // A schema that keeps numbers as texts.
  const asTexts = texts
    .selectFrom('lessons')
    .select([...others, ...cast.map((column) => sql`cast(${sql.ref(column)} as text)`.as(column))])
  const listings = createListings(
    defineOptions({
      db: () => first as (typeof tenants)[number],
      resolveRole,
      lists: [lessons],
      tables: (db: (typeof tenants)[number]) => ({
        ...lessonTables(db, databases[tenants.indexOf(db)] ?? 'sqlite'),
        ...(db === texts && { lessons: asTexts as never })
      })
    })
  )
  const query = { minutes_from: 45, price_to: 15, state: ['booked', 'moved'], held: true, student_id: '2' } as const
  const same = 'minutes_from=45&price_to=15&state=booked&state=moved&held=true&student_id=2'
  const { items: found } = expectedLessons(`${same}&limit=50`, admin)
  t.ok(found?.length)
  for (const round of [1, 2]) {
    for (const db of [...tenants, texts]) {
      const { items } = await listings.find('lessons', { caller: admin, query: { ...query, limit: 50 }, db })
      t.strictSame(items, found, `round ${round}`)
    }
  }
})

t.test('a server may mount one list, and needs the tables of that list only', async (t) => {
  const db = await openWorld(t, 'sqlite')
  for (const table of ['assessments', 'memberships', 'links']) await db.schema.dropTable(table).execute()
  // A function that maps both lists serves a registration of one.
  const tables = () => ({ assessments: 'exams', payments: 'payments' })
  for (const option of [{}, { tables }]) {
    const options = defineOptions({ db, resolveRole, lists: [payments], checkOnReady: 'error', ...option })
    const { get } = await serve(t, options)
    t.equal((await get('/payment/list', individual)).body.total, 3)
    t.equal((await get('/assessment/list?search=', admin)).status, 404)
  }
  t.match(await checkDatabase({ db, lists: [lessons] }), [{ level: 'error', text: /^lessons / }])
})
