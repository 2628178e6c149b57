import t, { type Test } from 'tap'
import { execute, findings, findingsOnceThere } from '../support/check.js'
import { type DatabaseName, databases, dateTime } from '../support/databases.js'
import { openTables, openWorld } from '../support/tables.js'
import { payments } from '../support/world.js'

const noLiteral = (table: string) =>
  `error tables: A search in ${table} does not take the characters %, _ and ! literally, so searches would silently miss records: the storage engine or a proxy changes \`like … escape '!'\`, as MariaDB's Spider does. Use another storage engine, such as InnoDB, or connect without the proxy.`

type Rewrite = (statement: string) => string

// MariaDB's Spider drops the escape character, so a search for % finds nothing.
const withoutEscape: Rewrite = (statement) => statement.replaceAll("escape '!'", '')

const withWildcards: Rewrite = (statement) =>
  statement
    .replaceAll("like _utf8mb4 ? escape '!'", "like replace(_utf8mb4 ?, _utf8mb4 '!', _utf8mb4 '')")
    .replace(/like (\?|\$\d+) escape '!'/g, "like replace($1, '!', '')")

const reordered =
  (direction: string, other: string): Rewrite =>
  (statement) =>
    statement.replace(new RegExp(`(order by .r.\\..created_at.) ${direction},`), `$1 ${other},`)

const unlimited: Rewrite = (statement) =>
  statement
    .replace(/max_statement_time=[\d.]+/, 'max_statement_time=60')
    .replace(/MAX_EXECUTION_TIME\(\d+\)/, '')
    .replace('statement_timeout', 'lock_timeout')

const outlives = /^warning settings: The database does not end a statement at its time limit, so/
const unordered = (list: string) =>
  new RegExp(
    `^error tables: The records of ${list} do not come in the order of created_at, so pages would miss or repeat`
  )

const noLiterals = [noLiteral('payments'), noLiteral('users')]
const noOrder = [unordered('assessments'), unordered('payments')]

/** The small world on an engine or behind a proxy that changes the statements. */
async function openChanged(t: Test, name: DatabaseName) {
  let change: Rewrite = (statement) => statement
  const db = await openWorld(t, name, { rewrite: (statement) => change(statement) })
  const foundWith = (rewrite: Rewrite, count: number) => {
    change = rewrite
    return findingsOnceThere(db, count)
  }
  return { db, foundWith }
}

for (const name of databases) {
  t.test(`${name} proves what the lists rely on`, async (t) => {
    const { db, foundWith } = await openChanged(t, name)
    t.match(await foundWith(reordered('desc', 'asc'), 2), noOrder, 'the other order')
    if (name !== 'sqlite') {
      t.match(await foundWith(unlimited, 1), [outlives], 'a statement that goes on after its time limit')
      const failing: Rewrite = (statement) => unlimited(statement).replace('sleep(', 'no_such(')
      t.strictSame(await foundWith(failing, 0), [], 'a database that cannot sleep')
    }
    if (name === 'mysql') {
      // MySQL may end `sleep` in place of the statement, and `sleep` then returns 1.
      const interrupted: Rewrite = (statement) => statement.replace('sleep(0.2)', '1')
      t.strictSame(await foundWith(interrupted, 0), [], 'an interrupted sleep')
    }
    t.strictSame(await foundWith(withWildcards, 2), noLiterals, 'a search with wildcards')
    t.strictSame(await foundWith(withoutEscape, 2), noLiterals, 'a search without an escape character')
    await execute(db, 'delete from users where user_id > 1', 'delete from payments')
    t.strictSame(await findingsOnceThere(db, 1), [noLiteral('users')], 'one row is enough, and no row proves nothing')
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

t.test('each end of the order is a probe, and a probe that the database cannot run proves nothing', async (t) => {
  const { foundWith } = await openChanged(t, 'sqlite')
  t.match(await foundWith(reordered('asc', 'desc'), 2), noOrder, 'each end of the order is a proof')
  for (const [probe, expected] of [
    [/limit 2$/, noLiterals],
    [/where \(.*limit 1$/s, []],
    [/ as newest/, noLiterals]
  ] as const) {
    const failing: Rewrite = (statement) => withoutEscape(statement).replace(probe, ' no such $&')
    t.strictSame(await foundWith(failing, expected.length), expected, probe.source)
  }
})
