import { SelectQueryNode, sql, WhereNode } from 'kysely'
import t, { type Test } from 'tap'
import { defaultLists as lists } from '../../src/lists/ready/index.js'
import { pageOf } from '../../src/question/sql/page.js'
import { totalOf } from '../../src/question/sql/records.js'
import { compiling, statementCache } from '../../src/question/sql/statement-cache.js'
import { transforming } from '../support/hosts/plugins.js'
import { type Answer, serve } from '../support/hosts/server.js'
import type { Db } from '../support/servers/databases.js'
import { openSession, questionFor, sourceOf, unfittedFor, withoutDatabase } from '../support/servers/session.js'
import { openWorld } from '../support/servers/tables.js'
import { heapUsed } from './heap.js'

/** The heap in megabytes after a full garbage collection. */
async function heap(): Promise<number> {
  await new Promise((resolve) => setImmediate(resolve))
  heapUsed()
  await new Promise((resolve) => setImmediate(resolve))
  return heapUsed() / 1e6
}

/** The growth of the heap in megabytes. */
async function growth(work: () => Promise<void>): Promise<number> {
  const before = await heap()
  await work()
  return (await heap()) - before
}

/** Asserts only failures, because thousands of assertions would fill the memory. */
async function answer(t: Test, asked: Promise<Answer>): Promise<void> {
  const { status } = await asked
  if (status !== 200) t.equal(status, 200)
}

const caller = { userId: 1, role: 'Individual' }
const pages = 20
const urls = Array.from({ length: pages }, (_, index) => [
  `/payment/list?limit=1&page=${index + 1}`,
  `/assessment/list?search=a&limit=1&page=${index + 1}`
]).flat()
/** Megabytes. The caches need far less, and a leak of 57 kB for each of 160 statements would be more. */
const most = 6

/** Kilobytes of SQL for each table. */
const condition = Array.from({ length: 160 }, (_, index) => `user_id <> 10000000${index}`).join(' and ')

t.test('the cached statements of all databases together have one size limit', async (t) => {
  const db = withoutDatabase('sqlite')
  const selects = ['users', 'assessments', 'payments'].map((name) => [
    name,
    db.selectFrom(name).selectAll().where(sql.raw<boolean>(condition))
  ])
  const sources = Array.from({ length: 200 }, () => sourceOf(db.withSchema('main'), Object.fromEntries(selects)))
  const cache = statementCache()
  // The memory of the sources grows with the number of instances, so it is not measured.
  for (const source of sources) source.tables(source.names)
  const grown = await growth(async () => {
    for (const source of sources) {
      for (const list of lists) {
        const session = openSession(source)
        const question = questionFor({ list, parameters: { search: 'a' } })
        const compiled = compiling(question, unfittedFor(session, list), session, cache)
        compiled(pageOf({ span: { skip: 0, take: 12, backwards: false } }))
        compiled(totalOf())
      }
    }
  })
  // The limit is 8 MB of statements, plus the state of each source. Without the limit, the heap grows by 24 MB.
  t.ok(grown < 20, `${grown.toFixed(1)} MB more`)
})

t.test('tables with other parameters for each request do not fill the memory', async (t) => {
  let request = 0
  const plugin = transforming((node) => {
    if (!SelectQueryNode.is(node)) return node
    return { ...node, where: WhereNode.create(sql`tenant = ${request} and ${sql.raw(condition)}`.toOperationNode()) }
  })
  const source = sourceOf(withoutDatabase('sqlite', [plugin]), {})
  const seen = new Set<unknown>()
  const grown = await growth(async () => {
    for (request = 1; request <= 3_000; request++) {
      const tables = source.tables(source.names)
      seen.add(sql`${tables.of('users').table}`.compile(source.db).parameters[0])
    }
  })
  t.equal(seen.size, 3_000)
  t.ok(grown < most, `${grown.toFixed(1)} MB more`)
})

t.test('instances of one request do not fill the memory', async (t) => {
  const base = await openWorld(t, 'sqlite')
  const made: Db[] = []
  const db = () => {
    const instance = base.withSchema('main')
    made.push(instance)
    return instance
  }
  const { get } = await serve(t, { db, tables: (db: Db) => ({ users: db.selectFrom('users').selectAll() as never }) })
  const refs: WeakRef<object>[] = []
  const grown = await growth(async () => {
    for (const url of urls) await answer(t, get(url, caller))
    for (const instance of made.splice(0)) refs.push(new WeakRef(instance))
  })
  t.ok(grown < most, `${grown.toFixed(1)} MB more`)
  const alive = refs.filter((ref) => ref.deref()).length
  t.ok(alive < 10, `${alive} of ${refs.length} instances are not collected`)
})
