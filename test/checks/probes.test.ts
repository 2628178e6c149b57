import t from 'tap'
import { execute, findings, findingsOnceThere } from '../support/check.js'
import { type DatabaseName, databases, dateTime } from '../support/databases.js'
import { serve } from '../support/server.js'
import { openTables, openWorld } from '../support/tables.js'
import { payments } from '../support/world.js'

/** What a wrong engine does to the statements of the lists. */
type Rewrites = Record<DatabaseName, (statement: string) => string>
const everywhere = (rewrite: (statement: string) => string): Rewrites => ({
  mysql: rewrite,
  postgres: rewrite,
  sqlite: rewrite
})

const noLiteral = (table: string) =>
  `error tables: A search in ${table} does not take the characters %, _ and ! literally, so searches would silently miss records: the storage engine or a proxy changes \`like … escape '!'\`, as MariaDB's Spider does. Use another storage engine, such as InnoDB, or connect without the proxy.`

// MariaDB's Spider drops the escape character, so a search for % finds nothing.
const withoutEscape = everywhere((statement) => statement.replaceAll("escape '!'", ''))

const withWildcards: Rewrites = {
  ...everywhere((statement) => statement.replace(/like (\?|\$\d+) escape '!'/g, "like replace($1, '!', '')")),
  mysql: (statement) =>
    statement.replaceAll("like _utf8mb4 ? escape '!'", "like replace(_utf8mb4 ?, _utf8mb4 '!', _utf8mb4 '')")
}

const outlives = /^warning settings: The database does not end a statement at its time limit, so/
const unordered = (list: string) =>
  new RegExp(
    `^error tables: The records of ${list} do not come in the order of created_at, so pages would miss or repeat`
  )

for (const name of databases) {
  t.test(`${name} proves what the lists rely on`, async (t) => {
    let rewrite = (statement: string) => statement
    const db = await openWorld(t, name, { rewrite: (statement) => rewrite(statement) })
    /** The findings where an engine or a proxy changes the statements. */
    const foundWith = async (change: typeof rewrite, count: number) => {
      rewrite = change
      return findingsOnceThere(db, count)
    }
    const noLiterals = [noLiteral('payments'), noLiteral('users')]

    for (const probe of [/limit 2$/, /where \(.*limit 1$/s, / as newest/, /sleep\(/]) {
      const failing = (statement: string) => withoutEscape[name](statement).replace(probe, ' no such $&')
      const expected = /where/.test(probe.source) ? [] : noLiterals
      const what = `a probe that the database cannot run proves nothing: ${probe.source}`
      t.strictSame(await foundWith(failing, expected.length), expected, what)
    }
    for (const [direction, other] of [
      ['desc', 'asc'],
      ['asc', 'desc']
    ] as const) {
      const reordered = (statement: string) =>
        statement.replace(new RegExp(`(order by .r.\\..created_at.) ${direction},`), `$1 ${other},`)
      t.match(
        await foundWith(reordered, 2),
        [unordered('assessments'), unordered('payments')],
        `${direction} as ${other}`
      )
    }
    if (name !== 'sqlite') {
      const unlimited = (statement: string) =>
        statement
          .replace(/max_statement_time=[\d.]+/, 'max_statement_time=60')
          .replace(/MAX_EXECUTION_TIME\(\d+\)/, '')
          .replace('statement_timeout', 'lock_timeout')
      t.match(await foundWith(unlimited, 1), [outlives], 'a statement that goes on after its time limit')
    }
    if (name === 'mysql') {
      // MySQL may end `sleep` in place of the statement, and `sleep` then returns 1.
      const interrupted = (statement: string) => statement.replace('sleep(0.2)', '1')
      t.strictSame(await foundWith(interrupted, 0), [], 'an interrupted sleep')
    }
    t.strictSame(await foundWith(withWildcards[name], 2), noLiterals, 'a search with wildcards')
    t.strictSame(await foundWith(withoutEscape[name], 2), noLiterals, 'a search without an escape character')
    await t.rejects(serve(t, { db, checkOnReady: 'error' }), { code: 'FST_LISTING_DATABASE_MISFIT' })
    await execute(db, 'delete from users where user_id > 1', 'delete from payments')
    t.strictSame(await findingsOnceThere(db, 1), [noLiteral('users')], 'one row is enough')
    await execute(db, 'delete from users')
    t.strictSame(await findings(db), [], 'an empty table proves nothing')
  })

  t.test(`ids of any kind fit on ${name}`, async (t) => {
    const db = await openTables(t, name)
    const kinds = { mysql: ['char(36)'], postgres: ['uuid', 'varchar(36)'], sqlite: ['varchar(36)'] }[name]
    for (const kind of kinds) {
      await execute(
        db,
        'drop table payments',
        `create table payments (payment_id ${kind} primary key, user_id bigint, amount decimal(9, 2), quantity integer, payment_intent varchar(50),
            paid_at ${dateTime(name)}, payment_method varchar(20), payment_status varchar(20), processor_status varchar(20), created_at ${dateTime(name)})`
      )
      // An id without letters has another form with a space, which is no UUID.
      for (const [digit, last] of ['0', 'a', 'f', '1'].entries()) {
        const payment_id = `${digit}0000000-0000-0000-0000-00000000000${last}`
        await db
          .insertInto('payments')
          .values({ ...payments[0], payment_id })
          .execute()
      }
      const others = (await findings(db)).filter((text) => !text.startsWith('warning indexes: create index'))
      t.strictSame(others, [], kind)
    }
  })
}

t.test('a database that goes away during the probes does not stop the boot', async (t) => {
  const before = ({ sql }: { sql: string }) => {
    if (/limit 2$/.test(sql)) throw Object.assign(new Error('gone'), { code: 'ECONNRESET' })
  }
  const { lines } = await serve(
    t,
    { db: await openWorld(t, 'sqlite', { before }), checkOnReady: 'error' },
    { log: 'warn' }
  )
  t.match(lines, [{ kind: 'unavailable', msg: 'The database could not be checked yet.' }])
})
