/** The checks try the orders and the owners that a definition can have, and notice a server that forgets them. */
import { sql } from 'kysely'
import t, { type Test } from 'tap'
import { type ConformanceHost, conformance } from '../../src/conformance/index.js'
import { defineOptions } from '../../src/index.js'
import { lessons, lessonTables, openLessons } from '../support/fixtures/lessons.js'
import { problemsIn } from '../support/hosts/faults.js'
import { resolveRole, serve } from '../support/hosts/server.js'
import { headersOf } from '../support/hosts/tokens.js'

const al = { name: 'Al', headers: headersOf({ userId: 20, role: 'Admin' }), userId: 20 }
const admin = { ...al, reach: { lessons: 'all' } } as const
const ida = { name: 'Ida', headers: headersOf({ userId: 10, role: 'Instructor' }), userId: 10 }
const instructor = { ...ida, reach: { lessons: { own: 'instructor_id' } } } as const

async function serveLessons(t: Test) {
  const db = await openLessons(t, 'sqlite')
  const tables = lessonTables(db, 'sqlite')
  return (await serve(t, defineOptions({ db, resolveRole, lists: [lessons], tables }))).app
}

const problemsOf = (app: ConformanceHost['app'], callers: readonly object[]) =>
  problemsIn(conformance(() => ({ app, callers }) as never, { lists: [lessons] }))

const reversedFrom = (body: Record<string, unknown>, place: number) => {
  const items = [body.data].flat()
  return { ...body, data: [...items.slice(0, place), ...items.slice(place).reverse()] }
}

/** Mistakes of a server in its answers, with and without a `sort`. */
const mistakes: Record<string, [isSorted: boolean, change: (body: Record<string, unknown>) => object]> = {
  'sort is forgotten after some records': [true, (body) => reversedFrom(body, 20)],
  'the fixed order is the wrong way round': [false, (body) => reversedFrom(body, 0)],
  'sort counts one too many': [true, (body) => ({ ...body, total: Number(body.total) + 1 })],
  'sort loses a record': [true, (body) => ({ ...body, total: Number(body.total) - 1 })]
}

t.test('each mistake in an order is found', async (t) => {
  const app = await serveLessons(t)
  t.strictSame(await problemsOf(app, [admin, instructor]), [])
  const withoutSort: ConformanceHost['app'] = {
    inject: ({ url, ...request }) => app.inject({ ...request, url: url.replace(/&?\bsort=[^&]*/, '') })
  }
  const isOrder = (problem: string) => problem.startsWith('lessons: in the order of the list')
  t.ok((await problemsOf(withoutSort, [admin])).some(isOrder), 'sort is forgotten')
  for (const [name, [isSorted, change]] of Object.entries(mistakes)) {
    const inject: ConformanceHost['app']['inject'] = async (request) => {
      const { statusCode, headers, body } = await app.inject(request)
      const isChanged = statusCode === 200 && request.url.includes('sort') === isSorted
      return { statusCode, headers, body: isChanged ? JSON.stringify(change(JSON.parse(body))) : body }
    }
    const problems = await problemsOf({ inject }, [admin])
    t.ok(problems.some(isOrder), `${name}: ${problems}`)
  }
})

t.test('a list whose owner has another name than user_id shows a caller no records of others', async (t) => {
  const problems = await problemsOf(await serveLessons(t), [{ ...al, userId: 1, reach: { lessons: 'own' } }])
  t.match(problems, [/reach.*is of user [234], but the reach of Al \(user 1\) is 'own'/])
})

t.test('a right server may sort texts as its collation does, and trim a term', async (t) => {
  const db = await openLessons(t, 'mysql')
  await sql`update lessons set unit_name = lower(unit_name) where lesson_id % 2 = 0`.execute(db)
  await sql`update lessons set unit_name = concat(' ', unit_name) where lesson_id % 5 = 0 or lesson_id = 1`.execute(db)
  await sql`alter table lessons modify state enum('moved', 'done', 'booked')`.execute(db)
  const lists = [lessons.extend({ sort: ['state'] })] as const
  const { app } = await serve(t, defineOptions({ db, resolveRole, lists, tables: lessonTables(db, 'mysql') as never }))
  const record = { lesson_id: 5, unit_name: ' Strasse_1', starts_at: '2026-06-05 09:30:00', day: '2026-06-05' }
  const host = { app, callers: [admin], known: { lessons: [record] } }
  t.strictSame(await problemsIn(conformance(() => host, { lists })), [])
})
