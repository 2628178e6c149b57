/** The checks try everything that a definition can say, and notice a server that forgets it. */
import { sql } from 'kysely'
import t from 'tap'
import { conformance } from '../../src/conformance/index.js'
import { defineOptions } from '../../src/index.js'
import { lessons, lessonTables, openLessons } from '../support/lessons.js'
import { resolveRole, serve } from '../support/server.js'
import { headersOf } from '../support/tokens.js'

type Change = { url?: (url: string) => string; body?: (body: Record<string, unknown>, url: string) => unknown }

/** Forgets a parameter. */
const without = (name: RegExp): Change => ({
  url: (url) => url.replace(new RegExp(`&?\\b${name.source}=[^&]*`, 'g'), '')
})

const narrows = 'lessons: filters keep what they name, and add nothing'
const sorts = 'lessons: in the order of the list'
const refuses = 'lessons: a wrong parameter is refused'

const faults: Record<string, [check: string, change: Change]> = {
  'a yes or a no is forgotten': [narrows, without(/held/)],
  'only the first of several values counts': [narrows, { url: (url) => url.replace(/(state=\w+)&state=\w+/, '$1') }],
  'whether there is a value is forgotten': [narrows, without(/has_note/)],
  'the end of a range of dates is forgotten': [narrows, without(/day_to/)],
  'the start of a range of numbers is forgotten': [narrows, without(/price_from/)],
  'the end of a range of times is forgotten': [narrows, without(/starts_to/)],
  'sort is forgotten': [sorts, without(/sort/)],
  'the fixed order is the wrong way round': [
    sorts,
    { body: (body, url) => (url.includes('sort') ? body : { ...body, data: [body.data].flat().reverse() }) }
  ],
  'sort changes the total': [
    sorts,
    { body: (body, url) => (url.includes('sort') ? { ...body, total: Number(body.total) + 1 } : body) }
  ],
  'a range may be the wrong way round': [refuses, without(/minutes_to/)],
  'any number of values is allowed': [refuses, { url: (url) => url.replace(/(state=&)+/, '') }]
}

t.test('each forgotten part of a list is found by one of the checks', async (t) => {
  const db = await openLessons(t, 'sqlite')
  const { app } = await serve(
    t,
    defineOptions({ db, resolveRole, lists: [lessons], tables: lessonTables(db, 'sqlite') })
  )
  const admin = { name: 'Al', headers: headersOf({ userId: 20, role: 'Admin' }), userId: 20, lessons: 'all' } as const
  const instructor = {
    ...{ name: 'Ida', headers: headersOf({ userId: 10, role: 'Instructor' }), userId: 10 },
    lessons: { own: 'instructor_id' }
  } as const
  const problemsOf = async (change: Change) => {
    const inject: (typeof app)['inject'] = (async ({
      url,
      ...request
    }: {
      url: string
      headers: Record<string, string>
    }) => {
      const { statusCode, headers, body } = await app.inject({
        method: 'GET',
        ...request,
        url: change.url?.(url) ?? url
      })
      const parsed = JSON.parse(body)
      const changed = statusCode === 200 && change.body ? change.body(parsed, url) : parsed
      return { statusCode, headers, body: JSON.stringify(changed) }
    }) as never
    const found: string[] = []
    const checks = conformance(() => ({ app: { inject } as never, callers: [admin, instructor] }), { lists: [lessons] })
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
  const caller = { name: 'Al', headers: {}, userId: 20, lessons: { own: 5 } }
  const [check] = conformance(() => ({ app: { inject: () => undefined }, callers: [caller] }) as never, {
    lists: [lessons]
  })
  await t.rejects(async () => check?.run(), /'lessons' of caller Al: expected one of own, linked, all, none/)
})

t.test('a value that no parameter can give is not asked for', async (t) => {
  const db = await openLessons(t, 'sqlite')
  const { price: _price, ...others } = lessons.columns
  const thirds = db.selectFrom('lessons').select([...Object.keys(others), sql<number>`price / 3.0`.as('price')])
  const tables = { ...lessonTables(db, 'sqlite'), lessons: thirds } as never
  const { app } = await serve(t, defineOptions({ db, resolveRole, lists: [lessons], tables }))
  const admin = { name: 'Al', headers: headersOf({ userId: 20, role: 'Admin' }), userId: 20, lessons: 'all' } as const
  for (const { name, run } of conformance(() => ({ app, callers: [admin] }), { lists: [lessons] })) {
    await t.resolves(run({ skip: () => undefined }), name)
  }
})
