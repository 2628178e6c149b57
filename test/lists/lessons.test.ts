/** A list that uses everything that a definition can say gives what SQL by hand gives, on each database. */
import { sql } from 'kysely'
import t from 'tap'
import { conformance } from '../../src/conformance/index.js'
import { checkDatabase, createListings, defineOptions, textOfFindings } from '../../src/index.js'
import { createForeignTable } from '../support/check.js'
import { databases } from '../support/databases.js'
import { itemOf, lessons, lessonTables, openLessons, type Row, rows } from '../support/lessons.js'
import { type Caller, resolveRole, serve } from '../support/server.js'
import { headersOf } from '../support/tokens.js'

const student = { userId: 1, role: 'Student' }
const instructor = { userId: 10, role: 'Instructor' }
const practitioner = { userId: 10, role: 'Practitioner' }
const admin = { userId: 20, role: 'Admin' }

/** The records of each caller. */
const seenBy = new Map<Caller, (row: Row) => boolean>([
  [student, ({ student_id }) => student_id === 1],
  [instructor, ({ instructor_id }) => instructor_id === 10],
  [practitioner, ({ student_id }) => [1, 2].includes(student_id)],
  [admin, () => true]
])

type Compare = (a: Row, b: Row) => number
const by =
  <Name extends keyof Row>(name: Name, sign = 1): Compare =>
  (a, b) => {
    const [one, other] = [a[name] as string | number, b[name] as string | number]
    return sign * (one < other ? -1 : one > other ? 1 : a.lesson_id - b.lesson_id)
  }
const upcoming = by('starts_at')

/** Queries, each with the records that it keeps and their order. */
const queries: [query: string, keeps: (row: Row) => boolean, order?: Compare][] = [
  ['', () => true],
  ['held=true', ({ held }) => held === true],
  ['held=false', ({ held }) => held === false],
  ['held=', () => true],
  ['state=booked&state=done', ({ state }) => ['booked', 'done'].includes(state)],
  ['state=moved&state=&state=moved', ({ state }) => state === 'moved'],
  ['state=&state=', () => true],
  ['unit_name=Park&unit_name=Strasse_1&unit_name=Par%25', ({ unit_name }) => /^(Park|Strasse_1)$/.test(unit_name)],
  ['student_id=2', ({ student_id }) => student_id === 2],
  ['has_instructor=false', ({ instructor_id }) => instructor_id === null],
  ['has_instructor=true&state=done', ({ instructor_id, state }) => instructor_id !== null && state === 'done'],
  ['has_note=true', ({ note }) => Boolean(note)],
  ['has_note=false', ({ note }) => !note],
  ['paid=false', ({ paid_on }) => paid_on === null],
  ['paid=true', ({ paid_on }) => paid_on !== null],
  ['day_from=2026-06-02&day_to=2026-06-04', ({ day }) => day >= '2026-06-02' && day <= '2026-06-04'],
  ['day_to=2026-06-02', ({ day }) => day <= '2026-06-02'],
  ['minutes_from=45&minutes_to=60', ({ minutes }) => minutes >= 45 && minutes <= 60],
  ['price_from=12.5', ({ price }) => price !== null && price >= 12.5],
  ['price_from=-1&price_to=12.50', ({ price }) => price !== null && price <= 12.5],
  [
    'starts_from=2026-06-02T09:30:00&starts_to=2026-06-04',
    ({ starts_at }) => starts_at >= '2026-06-02 09:30:00' && starts_at < '2026-06-04'
  ],
  ['sort=minutes', () => true, by('minutes')],
  ['sort=-minutes', () => true, by('minutes', -1)],
  ['sort=-starts_at', () => true, by('starts_at', -1)],
  ['sort=day&held=true', ({ held }) => held === true, by('day')],
  ['sort=-unit_name', () => true, by('unit_name', -1)],
  ['sort=-lesson_id', () => true, by('lesson_id', -1)],
  ['search=Ada%20Love', ({ student_id }) => student_id === 1],
  ['search=stra%C3%9Fe', ({ unit_name }) => unit_name === 'Strasse_1'],
  ['search=Ada&sort=-minutes', ({ student_id }) => student_id === 1, by('minutes', -1)],
  ['search=%20&state=done', ({ state }) => state === 'done'],
  [
    'search=park&sort=-day&minutes_from=45&state=booked&state=done',
    ({ unit_name, minutes, state }) => unit_name === 'Park' && minutes >= 45 && state !== 'moved',
    by('day', -1)
  ]
]

const refused: [query: string, error: string][] = [
  ['held=yes', "The query parameter 'held' must be one of: true, false."],
  ['held=true&held=false', "The query parameter 'held' must be given only once."],
  ['state=booked&state=gone', "The query parameter 'state' must be one of: booked, moved, done."],
  [`${'unit_name=Park&'.repeat(51)}`, "The query parameter 'unit_name' must be given at most 50 times."],
  ['has_note=1', "The query parameter 'has_note' must be one of: true, false."],
  ['day_from=2026-6-1', "The query parameter 'day_from' must be a date in the form YYYY-MM-DD."],
  ['day_from=2026-02-30', "The query parameter 'day_from' must be a date in the form YYYY-MM-DD."],
  ['day_from=2026-06-03&day_to=2026-06-02', "The query parameter 'day_from' must not be greater than 'day_to'."],
  [
    'minutes_from=1.5',
    "The query parameter 'minutes_from' must be a whole number such as 12 or -3, with at most 16 digits."
  ],
  [
    'price_to=1e3',
    "The query parameter 'price_to' must be a number such as 12 or -3.5, with at most 16 digits before the point and 10 after it."
  ],
  ['price_from=9&price_to=10', ''],
  ['price_from=10&price_to=9', "The query parameter 'price_from' must not be greater than 'price_to'."],
  [
    'sort=price',
    "The query parameter 'sort' must be one of: starts_at, -starts_at, minutes, -minutes, day, -day, unit_name, -unit_name, lesson_id, -lesson_id."
  ],
  ['sort=day&sort=minutes', "The query parameter 'sort' must be given only once."]
]

for (const name of databases) {
  t.test(`lessons on ${name}: every filter, order and reach gives what SQL by hand gives`, async (t) => {
    const db = await openLessons(t, name)
    const options = defineOptions({ db, resolveRole, lists: [lessons], tables: lessonTables(db, name) })
    const { get, app } = await serve(t, options)
    for (const [caller, isSeen] of seenBy) {
      for (const [query, keeps, order = upcoming] of queries) {
        const found = rows.filter(isSeen).filter(keeps).sort(order)
        for (const [page, limit] of [
          [1, 100],
          [2, 5],
          [3, 3]
        ] as const) {
          const { body } = await get(`/lesson/list?page=${page}&limit=${limit}&${query}`, caller)
          const items = found.slice((page - 1) * limit, page * limit).map(itemOf)
          t.strictSame(
            [body.total, body.data],
            [found.length, items],
            `${query} as ${caller.role}, page ${page} of ${limit}`
          )
        }
      }
    }
    for (const [query, error] of refused) {
      const { body } = await get(`/lesson/list?${query}`, admin)
      t.equal(body.error ?? '', error, query.slice(0, 60))
    }

    const listings = createListings(options)
    const found = await listings.find('lessons', {
      caller: admin,
      query: { held: true, state: ['booked', 'done'], minutes_from: 45, has_instructor: true, sort: '-day', limit: 50 }
    })
    t.strictSame(
      found.items,
      rows
        .filter(
          ({ held, state, minutes, instructor_id }) => held && state !== 'moved' && minutes >= 45 && instructor_id
        )
        .sort(by('day', -1))
        .map(itemOf)
    )
    const all: unknown[] = []
    for await (const item of listings.each('lessons', { caller: instructor, query: { state: 'done' } })) all.push(item)
    const own = rows.filter(({ instructor_id, state }) => instructor_id === 10 && state === 'done')
    t.strictSame(all, own.sort(upcoming).map(itemOf))

    const as = (caller: Caller, lessons: 'own' | 'linked' | 'all', linked: number[] = []) => ({
      ...{ name: caller.role, headers: headersOf(caller), userId: caller.userId, reach: { lessons }, linked }
    })
    const callers = [as(student, 'own'), as(practitioner, 'linked', [1, 2]), as(admin, 'all')]
    for (const { name, run } of conformance(() => ({ app, callers }), { lists: [lessons] })) {
      await t.resolves(run({ skip: () => undefined }), name)
    }

    const told = await checkDatabase({ ...options, db })
    t.strictSame(
      told.filter(({ level, remedy }) => level === 'error' || remedy !== 'indexes'),
      []
    )
    const findings = textOfFindings(told).replaceAll(/["`]/g, '')
    const indexes = findings.match(/lessons \(.*\)/g)
    t.strictSame(indexes?.sort(), [
      'lessons (day, lesson_id)',
      'lessons (instructor_id, starts_at, lesson_id)',
      'lessons (minutes, lesson_id)',
      'lessons (note, starts_at, lesson_id)',
      'lessons (price, lesson_id)',
      'lessons (starts_at, lesson_id)',
      'lessons (state, starts_at, lesson_id)',
      'lessons (student_id, starts_at, lesson_id)',
      'lessons (unit_name, lesson_id)',
      'lessons (unit_name, starts_at, lesson_id)'
    ])
  })
}

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
    has_note: { description: 'Only records with a value of note (true), or without one (false).' },
    day_from: { description: 'From this day.' },
    day_to: { description: 'To this day.' },
    minutes_from: { type: 'integer', description: 'Only records by their minutes. This number or a greater one.' },
    price_to: { type: 'number', description: 'Only records by their price. This number or a smaller one.' },
    starts_to: { description: 'Only records by their starts time. Before this time.' },
    sort: {
      enum: [
        'starts_at',
        '-starts_at',
        'minutes',
        '-minutes',
        'day',
        '-day',
        'unit_name',
        '-unit_name',
        'lesson_id',
        '-lesson_id'
      ]
    }
  })
  t.end()
})

t.test(
  'the statements for foreign tables give the same lessons',
  { skip: !databases.includes('postgres') },
  async (t) => {
    const db = await openLessons(t, 'postgres')
    await createForeignTable(db)
    const { find } = createListings(
      defineOptions({ db, resolveRole, lists: [lessons], tables: lessonTables(db, 'postgres') })
    )
    for (const [caller, isSeen] of seenBy) {
      for (const [query, keeps, order = upcoming] of queries) {
        const found = rows.filter(isSeen).filter(keeps).sort(order)
        const parameters: Record<string, string[]> = {}
        for (const [name, value] of new URLSearchParams(query)) parameters[name] = [...(parameters[name] ?? []), value]
        const { items, total } = await find('lessons', {
          caller,
          query: { ...parameters, page: 2, limit: 5 } as object
        })
        t.strictSame([total, items], [found.length, found.slice(5, 10).map(itemOf)], `${query} as ${caller.role}`)
      }
    }
  }
)

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
  for (let round = 0; round < 2; round++) {
    for (const db of [...tenants, texts]) {
      const query = {
        minutes_from: 45,
        price_to: 15,
        state: ['booked', 'moved'],
        held: true,
        student_id: '2',
        limit: 50
      } as const
      const { items } = await listings.find('lessons', { caller: admin, query, db })
      const found = rows.filter(
        ({ minutes, price, state, held, student_id }) =>
          minutes >= 45 && price !== null && price <= 15 && state !== 'done' && held && student_id === 2
      )
      t.ok(found.length > 0)
      t.strictSame(items, found.sort(upcoming).map(itemOf), `round ${round}`)
    }
  }
})
