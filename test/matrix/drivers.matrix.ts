/**
 * The same bytes on every driver: each setting of `drivers.ts` alone, and each with every other one, must give the
 * answers of a plain pool, or be refused in words that name the setting. At the size `short` the turn of the day
 * chooses a tenth of the pairs, so that every pair has its turn within ten days.
 */
import jwt from '@fastify/jwt'
import Fastify from 'fastify'
import { Kysely, MysqlDialect, sql } from 'kysely'
import { createPool, type PoolOptions } from 'mysql2'
import t, { type Test } from 'tap'
import listing, { payments } from '../../src/index.js'
import { keepLog } from '../support/hosts/log.js'
import { type Answer, ask, resolveRole, secret } from '../support/hosts/server.js'
import { type Db, mysqlPool } from '../support/servers/databases.js'
import { fill, textRelations } from './driver-data.js'
import { questions, shortly } from './driver-questions.js'
import { goTogether, type Setting, settings } from './drivers.js'
import { difference, report } from './report.mjs'

t.setTimeout(3_600_000)

const isShort = process.env.MATRIX === 'short'
const turns = 10
const today = Math.floor(Date.now() / 86_400_000)
/** Of the pairs; MATRIX_TURN repeats that of another day. */
const turn = Number(process.env.MATRIX_TURN ?? today) % turns

/** Opens the database with settings. The pool's own come last, so that `database` can be another one. */
function open(pool: PoolOptions, settings: readonly Setting[]): Db {
  const connections = createPool(Object.assign({}, pool, ...settings.map((setting) => setting.pool)))
  for (const { session } of settings) {
    if (session) connections.on('connection', (connection) => connection.query(session, mustWork))
  }
  return new Kysely({ dialect: new MysqlDialect({ pool: connections }) })
}

const mustWork = (error: Error | null): void => {
  if (error) throw error
}

/**
 * Starts a host with settings, asks it all questions, and stops it.
 *
 * @returns the answers, none where the host did not start, and what the operator reads: the error that stopped the start,
 *   or the error lines of the log
 */
async function tell(pool: PoolOptions, settings: readonly Setting[] = []) {
  const { logger, lines } = keepLog('error')
  const app = Fastify({ logger })
  const plain = open(pool, settings)
  const plugged = (db: Db, { plugin }: Setting) => plugin?.(db, String(pool.database)) ?? db
  const db = settings.reduce(plugged, plain)
  try {
    app.register(jwt, { secret })
    app.register(listing, { db, resolveRole, prefix: '/numbers' })
    app.register(listing, { db, resolveRole, prefix: '/texts', tables: textRelations(db), lists: [payments] as never })
    await app.ready()
    const answers = await Promise.all(questions.map(({ url, caller }) => ask(app, url, caller)))
    return { answers, reasons: lines.map(({ msg }) => msg) }
  } catch (error) {
    return { answers: [] as Answer[], reasons: [(error as Error).message] }
  } finally {
    await app.close()
    await plain.destroy()
  }
}

const pool = await mysqlPool(t, { connectionLimit: 2 })
const db = open(pool, [])
await fill(db)
const { rows } = await sql<{ version: string }>`select version() as version`.execute(db)
await db.destroy()
const server = rows[0]?.version.includes('MariaDB') ? 'MariaDB' : 'MySQL'

const plain = await tell(pool)
const here = settings.filter(({ only }) => only === undefined || only === server)

t.test('a plain pool', async (t) => {
  for (const [index, { url, caller, answer }] of questions.entries()) {
    const given = plain.answers[index]
    if (!given) throw new Error(`The host did not start: ${plain.reasons}`)
    t.equal(shortly(given), answer, `${caller?.role} ${caller?.userId} ${url}`)
  }
  t.strictSame(plain.reasons, ['Column payments.created_at of payment_id 99 is a zero date.'])
})

/** Does `work` for all items, three at once. */
async function forAll<Item>(items: readonly Item[], work: (item: Item) => Promise<void>): Promise<void> {
  const left = items.values()
  const each = async () => {
    for (const item of left) await work(item)
  }
  await Promise.all([each(), each(), each()])
}

type Row = Parameters<typeof report>[0]
const rowOf = ({ group, name }: Setting, others = ''): Row => ({
  ...{ part: 'drivers', name: `${server}, ${group}: ${name}${others}`, tried: 0, different: [] }
})

/** Asserts and records a row. */
function conclude(t: Test, row: Row): void {
  t.strictSame(row.different, [], row.name)
  report(row)
}

/**
 * Adds to the rows whether a host with the settings told the same as a plain one, byte for byte. Settings that cannot
 * work may stop the start, or make of an answer a 500, if the operator reads why.
 */
async function compare(chosen: readonly Setting[], rows: readonly Row[]): Promise<void> {
  const { answers, reasons } = await tell(pool, chosen)
  const isRefusal = (reason: string) => chosen.some(({ refused }) => refused?.test(reason))
  const refused = reasons.find(isRefusal)
  const different = reasons.filter((reason) => !isRefusal(reason) && !plain.reasons.includes(reason))
  if (answers.length === 0 && !refused) different.push('did not start')
  let tried = 0
  for (const [index, { status, text }] of answers.entries()) {
    const expected = plain.answers[index]
    const problem = difference(`${status} ${text}`, `${expected?.status} ${expected?.text}`)
    if (problem && refused && status === 500) continue
    tried++
    if (problem) different.push(`${questions[index]?.caller?.role} asks ${questions[index]?.url}: ${problem}`)
  }
  const names = chosen.map(({ name }) => name).join(' + ')
  for (const row of rows) {
    row.tried += tried
    if (refused) row.refused = refused
    row.different.push(...different.map((problem) => `${names}: ${problem}`))
  }
}

t.test(`each setting alone on ${server}`, (t) =>
  forAll(here, async (setting) => {
    const row = rowOf(setting)
    await compare([setting], [row])
    conclude(t, row)
  })
)

const pairs = isShort ? `a tenth of all pairs, MATRIX_TURN=${turn}` : 'every two settings'
t.test(`${pairs}, on ${server}`, async (t) => {
  const others = isShort ? `, with a tenth of the others, MATRIX_TURN=${turn}` : ', with each other'
  const rows = new Map(here.map((setting) => [setting, rowOf(setting, others)]))
  let place = 0
  const isChosen = () => !isShort || place++ % turns === turn
  for (const [index, one] of here.entries()) {
    const others = here.slice(index + 1).filter((other) => goTogether(one, other) && isChosen())
    await forAll(others, (other) => {
      // a pair counts for both, but a refusal only for the setting that is refused
      const refused = [one, other].filter((setting) => setting.refused)
      const counted = refused.length > 0 ? refused : [one, other]
      return compare(
        [one, other],
        counted.map((setting) => rows.get(setting) as Row)
      )
    })
    // everything before it has been paired with it
    conclude(t, rows.get(one) as Row)
  }
})
