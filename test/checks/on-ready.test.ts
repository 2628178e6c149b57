import { execFile } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { type CompiledQuery, Kysely, MysqlDialect } from 'kysely'
import { createPool } from 'mysql2'
import t from 'tap'
import { sampleName } from '../../src/database/cells.js'
import { checkDatabase } from '../../src/index.js'
import { admin } from '../support/fixtures/world.js'
import type { Line } from '../support/hosts/log.js'
import { type Options, serve } from '../support/hosts/server.js'
import { areAll, execute } from '../support/oracle/check.js'
import { until } from '../support/running/until.js'
import { type Db, mysqlPool, openDatabase } from '../support/servers/databases.js'
import { openBehindNetwork } from '../support/servers/pools.js'
import { openWorld } from '../support/servers/tables.js'

const messagesOf = (lines: readonly Line[]) => lines.map(({ msg }) => msg)

t.test('the start-up check stops the boot with everything that is wrong, or warns, or does not look', async (t) => {
  const db = await openWorld(t, 'sqlite')
  await execute(db, 'alter table users rename column email to mail', 'drop table memberships')
  const message =
    /^The database does not fit the lists\.\nFix the `tables` option .*:\n- users lacks .*\n- memberships needs /
  await t.rejects(serve(t, { db, checkOnReady: 'error' }), { code: 'FST_LISTING_DATABASE_MISFIT', message })
  const logged = async (options: Partial<Options>) =>
    messagesOf((await serve(t, { db, ...options }, { log: 'warn' })).lines)
  areAll(t, await logged({ checkOnReady: 'warn' }), [message])
  t.strictSame(await logged({ checkOnReady: 'off' }), [])
  t.strictSame(await logged({ checkOnReady: 'error', db: () => db }), [], 'a database for each request')
})

t.test('a check that passes says so in one line, and one that finds the lists slow warns', async (t) => {
  const db = await openWorld(t, 'sqlite')
  const { lines } = await serve(t, { db, checkOnReady: 'error' }, { log: 'info' })
  const [line, ...others] = lines.filter(({ msg }) => msg === 'The database fits the lists.')
  const tables = ['assessments', 'payments', 'users', 'memberships', 'links']
  t.match(line, { lists: ['assessments', 'payments'], tables, milliseconds: Number })
  t.strictSame(others, [])
  await execute(db, 'drop index payments_created_at_payment_id')
  const slow = await serve(t, { db, checkOnReady: 'error' }, { log: 'warn' })
  const warning = /^The database could serve the lists better\.\nCreate these indexes, .*\ncreate index /
  areAll(t, messagesOf(slow.lines), [warning])
  t.match((await slow.get('/payment/list', admin)).body, { total: 31 })
})

t.test('two registrations print an index once in a process, and another database prints its own', async (t) => {
  const [db, other] = [await openWorld(t, 'sqlite'), await openWorld(t, 'sqlite')]
  for (const each of [db, other]) await execute(each, 'drop index payments_created_at_payment_id')
  const boot = async (db: Db) => {
    const { lines } = await serve(t, { db, checkOnReady: 'error' }, { log: 'info' })
    return messagesOf(lines.filter(({ msg }) => msg.startsWith('The database')))
  }
  const index = /^The database could serve the lists better\.\nCreate these indexes, .*\ncreate index [^\n]+$/
  areAll(t, await boot(db), [index])
  areAll(t, await boot(db), [/better\.\nCreate these indexes, .*\n-- and the indexes that were printed before$/])
  areAll(t, await boot(other), [index])
  // A second registration still says what else it lacks, and what is wrong.
  await execute(db, 'drop index assessments_created_at_assessment_id')
  areAll(t, await boot(db), [
    /\ncreate index "assessments_created_at_assessment_id" on .+\n-- and the indexes that were printed before$/
  ])
  await execute(db, 'alter table users rename column email to mail')
  for (const _ of ['once', 'again']) await t.rejects(boot(db), { message: /users lacks users\.email/ })
  t.equal((await checkDatabase({ db })).filter(({ remedy }) => remedy === 'indexes').length, 2, 'a script')
})

/** Half of this is the time for a check, and between two checks. */
const quick = { pluginTimeout: 1000 }
/** The first statement of a check reads samples of text from no table. */
const isCheck = ({ sql }: CompiledQuery) => sql.includes(sampleName(0)) && !sql.includes(' from ')
const gone = (code = 'ECONNRESET') => Object.assign(new Error('gone'), { code })
const notYet = 'The database could not be checked yet. A server that this request needs cannot be reached.'

t.test('a database that cannot be checked for another reason is not asked again', async (t) => {
  let asked = 0
  const before = () => {
    asked++
    throw 'odd'
  }
  const db = await openDatabase(t, 'sqlite', { before })
  const { lines } = await serve(t, { db, checkOnReady: 'error' }, { server: quick, log: 'warn' })
  t.strictSame(messagesOf(lines), ['The database could not be checked. An unexpected error was thrown.'])
  const last = asked
  await sleep(700)
  t.equal(asked, last)
})

t.test('a database that went away is asked again by one timer, until the server closes', async (t) => {
  const checks: number[] = []
  let code = 'ECONNRESET'
  const before = (query: CompiledQuery) => {
    if (!isCheck(query)) return
    checks.push(performance.now())
    throw gone(code)
  }
  const db = await openWorld(t, 'sqlite', { before })
  const { app, lines } = await serve(t, { db, checkOnReady: 'error' }, { server: quick, log: 'warn' })
  const told = () => lines.filter(({ msg }) => msg === notYet)
  t.equal(told().length, 1, 'at the boot')
  const asked = checks.length
  t.ok(await until(() => checks.length >= asked + 2))
  const times = checks.slice(asked - 1)
  for (const [place, time] of times.slice(1).entries()) t.ok(time - Number(times[place]) > 490, 'half a second later')
  t.equal(told().length, 1, 'a retry that fails for the same reason')
  code = 'ETIMEDOUT'
  t.ok(await until(() => told().length === 2), 'a retry that fails for another reason')
  t.match(told()[1], { kind: 'unavailable', code })
  await app.close()
  const last = checks.length
  await sleep(700)
  t.equal(checks.length, last)
})

t.test('a check that ends after the server has closed logs nothing', async (t) => {
  let end = () => {}
  const held = new Promise<void>((resolve) => {
    end = resolve
  })
  let checks = 0
  const before = async (query: CompiledQuery) => {
    if (!isCheck(query)) return
    if (++checks === 1) throw gone()
    await held
    throw gone('ETIMEDOUT')
  }
  const db = await openWorld(t, 'sqlite', { before })
  const { app, lines } = await serve(t, { db, checkOnReady: 'error' }, { server: quick, log: 'warn' })
  t.ok(await until(() => checks === 2))
  lines.length = 0
  await app.close()
  end()
  await sleep(50)
  t.notMatch(messagesOf(lines).join(), 'could not be checked')
})

t.test('a database that cannot be reached does not stop the boot, and is checked once it answers', async (t) => {
  const { db, network } = await openBehindNetwork(t)
  await network.set('refuse')
  const { lines } = await serve(t, { db, checkOnReady: 'error' }, { server: quick, log: 'warn' })
  t.match(lines, [{ kind: 'unavailable', msg: notYet }])
  await network.set('none')
  await until(() => lines.length > 1, 10_000)
  t.match(lines[1], { msg: /assessments needs the columns/ })
})

t.test('the check of a database that never answers ends before Fastify gives up', async (t) => {
  const { db, network } = await openBehindNetwork(t)
  await network.set('silent')
  const { lines } = await serve(t, { db, checkOnReady: 'error' }, { server: quick, log: 'warn' })
  const msg =
    /^The database could not be checked yet\. The database does not answer: check that it runs, that its pool /
  t.match(lines, [{ kind: 'unavailable', msg }])
})

t.test('a pool that never gives a connection back does not stop the boot, and ends the check', async (t) => {
  const settings = { ...(await mysqlPool(t)), connectionLimit: 1 }
  const open = (): Db => {
    const pool = createPool(settings)
    t.teardown(() => pool.promise().end())
    const onCreateConnection = async () => {
      throw new Error('SET SESSION failed')
    }
    return new Kysely({ dialect: new MysqlDialect({ pool, onCreateConnection }) })
  }
  await t.rejects(checkDatabase({ db: open() }), { message: /^The pool gives no connection: / })
  const { lines } = await serve(t, { db: open(), checkOnReady: 'error' }, { server: quick, log: 'warn' })
  t.match(lines, [
    { kind: 'unavailable', msg: /^The database could not be checked yet\. The pool gives no connection: / }
  ])
})

t.test('a check that a slow database does not finish during the boot is finished later', async (t) => {
  let delay = 0
  const db = await openWorld(t, 'sqlite', { before: () => sleep(delay) })
  await execute(db, 'drop index payments_created_at_payment_id')
  delay = 150
  const { lines } = await serve(t, { db, checkOnReady: 'error' }, { server: { pluginTimeout: 2_000 }, log: 'warn' })
  t.strictSame(messagesOf(lines), ['The database could not be checked yet. The check took too long.'])
  await until(() => lines.length > 1, 10_000)
  t.match(lines[1], { msg: /create index "payments_created_at_payment_id"/ })
})

t.test('a server that waits for its plugins for ever can be checked', async (t) => {
  const db = await openDatabase(t, 'sqlite')
  await t.rejects(serve(t, { db, checkOnReady: 'error' }, { server: { pluginTimeout: 0 } }), {
    message: /users needs the columns/
  })
})

t.test('no timer of the check keeps a process alive that has nothing else to do', async (t) => {
  const gone =
    "new SqliteDialect({ database: { prepare() { throw Object.assign(new Error('gone'), { code: 'ECONNRESET' }) } } })"
  for (const dialect of ['sqlite()', gone]) {
    const code = `
      import Fastify from 'fastify'
      import { Kysely, SqliteDialect } from 'kysely'
      import { sqlite } from './examples/sqlite.js'
      import listing from './src/index.js'
      const app = Fastify()
      const options = { resolveRole: () => null, authenticate: async () => {}, checkOnReady: 'warn' }
      app.register(listing, { db: new Kysely({ dialect: ${dialect} }), ...options })
      await app.ready()
      console.log(process.getActiveResourcesInfo().filter((type) => type === 'Timeout').length)
      process.exit()`
    // In a process of its own, because tap has timers, too.
    const args = ['--import=./test/support/running/typescript.mjs', '--input-type=module', '-e', code]
    const { stdout } = await promisify(execFile)(process.execPath, args)
    t.equal(stdout, '0\n', dialect)
  }
})
