/** The checks try everything that a definition can say, and notice a server that forgets it. */
import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import t from 'tap'
import { conformance } from '../../src/conformance/index.js'
import { defineOptions } from '../../src/index.js'
import { lessons, lessonTables, openLessons } from '../support/lessons.js'
import { resolveRole, serve } from '../support/server.js'
import { headersOf } from '../support/tokens.js'

type Change = { url?: (url: string) => string; body?: (body: Record<string, unknown>, url: string) => unknown }

/** The server, with a mistake. */
function changed(app: FastifyInstance, change: Change): FastifyInstance {
  const inject = async ({ url, ...request }: { url: string; headers: Record<string, string> }) => {
    const { statusCode, headers, body } = await app.inject({
      method: 'GET',
      ...request,
      url: change.url?.(url) ?? url
    })
    const parsed = JSON.parse(body)
    const other = statusCode === 200 && change.body ? change.body(parsed, url) : parsed
    return { statusCode, headers, body: JSON.stringify(other) }
  }
  return { inject } as never
}

/** Forgets a parameter. */
const without = (name: RegExp): Change => ({
  url: (url) => url.replace(new RegExp(`&?\\b${name.source}=[^&]*`, 'g'), '')
})

const asAdmin = { name: 'Al', headers: headersOf({ userId: 20, role: 'Admin' }), userId: 20 }

const sorts = 'lessons: in the order of the list'

const faults: Record<string, [check: string, change: Change]> = {
  'sort is forgotten': [sorts, without(/sort/)],
  'sort is forgotten after some records': [
    sorts,
    {
      body: (body, url) => {
        const items = [body.data].flat()
        return url.includes('sort') ? { ...body, data: [...items.slice(0, 20), ...items.slice(20).reverse()] } : body
      }
    }
  ],
  'the fixed order is the wrong way round': [
    sorts,
    { body: (body, url) => (url.includes('sort') ? body : { ...body, data: [body.data].flat().reverse() }) }
  ],
  'sort changes the total': [
    sorts,
    { body: (body, url) => (url.includes('sort') ? { ...body, total: Number(body.total) + 1 } : body) }
  ]
}

t.test('each forgotten part of a list is found by one of the checks', async (t) => {
  const db = await openLessons(t, 'sqlite')
  const { app } = await serve(
    t,
    defineOptions({ db, resolveRole, lists: [lessons], tables: lessonTables(db, 'sqlite') })
  )
  const admin = { ...asAdmin, reach: { lessons: 'all' } } as const
  const instructor = {
    ...{ name: 'Ida', headers: headersOf({ userId: 10, role: 'Instructor' }), userId: 10 },
    reach: { lessons: { own: 'instructor_id' } }
  } as const
  const problemsOf = async (change: Change) => {
    const found: string[] = []
    const checks = conformance(() => ({ app: changed(app, change), callers: [admin, instructor] }), {
      lists: [lessons]
    })
    for (const { name, run } of checks) {
      await run({ skip: () => undefined }).catch(({ message }: Error) => found.push(`${name} (${message})`))
    }
    return found
  }
  t.strictSame(await problemsOf({}), [])
  for (const [name, [check, change]] of Object.entries(faults)) {
    const problems = await problemsOf(change)
    t.ok(
      problems.some((problem) => problem.startsWith(check)),
      `${name}: ${problems}`
    )
  }
})

t.test('a caller needs a reach on each list, or the column of their own records', async (t) => {
  const caller = { name: 'Al', headers: {}, userId: 20, reach: { lessons: { own: 5 } } }
  const [check] = conformance(() => ({ app: { inject: () => undefined }, callers: [caller] }) as never, {
    lists: [lessons]
  })
  await t.rejects(async () => check?.run(), /'reach.lessons' of caller Al: expected one of own, linked, all, none/)
})

t.test('a list whose owner has another name than user_id shows a caller no records of others', async (t) => {
  const db = await openLessons(t, 'sqlite')
  const { app } = await serve(
    t,
    defineOptions({ db, resolveRole, lists: [lessons], tables: lessonTables(db, 'sqlite') })
  )
  const callers = [{ ...asAdmin, userId: 1, reach: { lessons: 'own' } }] as const
  const reach = conformance(() => ({ app, callers }), { lists: [lessons] }).find(({ name }) => /reach/.test(name))
  await t.rejects(async () => reach?.run(), /is of user [234], but the reach of Al \(user 1\) is 'own'/)
})

t.test('a right server may sort texts as its collation does, and trim a term', async (t) => {
  const db = await openLessons(t, 'mysql')
  await sql`update lessons set unit_name = lower(unit_name) where lesson_id % 2 = 0`.execute(db)
  await sql`update lessons set unit_name = concat(' ', unit_name) where lesson_id % 5 = 0 or lesson_id = 1`.execute(db)
  await sql`alter table lessons modify state enum('moved', 'done', 'booked')`.execute(db)
  const lists = [lessons.extend({ sort: ['state'] })] as const
  const { app } = await serve(t, defineOptions({ db, resolveRole, lists, tables: lessonTables(db, 'mysql') as never }))
  const known = {
    lessons: [{ lesson_id: 5, unit_name: ' Strasse_1', starts_at: '2026-06-05 09:30:00', day: '2026-06-05' }]
  }
  for (const { name, run } of conformance(
    () => ({ app, callers: [{ ...asAdmin, reach: { lessons: 'all' } }], known }),
    {
      lists
    }
  )) {
    await t.resolves(run({ skip: () => undefined }), name)
  }
})
