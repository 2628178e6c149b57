import t from 'tap'
import { readerUnder } from '../support/fixtures/policies.js'
import { createTables } from '../support/fixtures/world.js'
import { serve } from '../support/hosts/server.js'
import { execute, findings, finds } from '../support/oracle/check.js'
import { postgresPool } from '../support/servers/databases.js'
import { openPostgres } from '../support/servers/pools.js'
import { openTables } from '../support/servers/tables.js'

const line = (time = '10000ms') => `-c timezone=UTC -c statement_timeout=${time} -c listing.transactions=off`

t.test('a boot on PostgreSQL says once how a request needs one round trip', async (t) => {
  const pool = await postgresPool(t)
  await createTables(openPostgres(t, pool))
  const boot = async (options: string | undefined, timeout = 10_000) => {
    const db = openPostgres(t, { ...pool, ...(options && { options }) })
    t.strictSame(await findings(db), [], 'the check in a script does not say it')
    const { lines } = await serve(t, { db, timeout, checkOnReady: 'error' }, { log: 'info' })
    return lines.filter(({ msg }) => msg.startsWith('The database')).map(({ level, msg }) => [level, msg])
  }
  const advice = (time: string) => [
    [
      30,
      `The database fits the lists, as far as it was checked.\nChange the settings of the pool or the session:\n- Each request makes three round trips. With \`options: '${line(time)}'\` in the pool it makes one, but then nothing may depend on what your code sets when a transaction begins.`
    ]
  ]
  const nothing = [[30, 'The database fits the lists.']]
  t.strictSame(await boot(undefined), advice('10000ms'))
  t.strictSame(await boot('-c timezone=UTC -c statement_timeout=10s'), advice('10000ms'))
  t.strictSame(await boot(line()), nothing)
  t.strictSame(await boot(line('10s'), 2_500), advice('2500ms'))
  t.strictSame(await boot(line('2s'), 2_500), nothing)
})

t.test('a role can allow it', async (t) => {
  const pool = await postgresPool(t)
  const owner = openPostgres(t, pool)
  await createTables(owner)
  const role = `lists_role_${process.pid}`
  await execute(
    owner,
    `create role ${role} login superuser password 'Reader-1'`,
    `alter role ${role} set timezone = 'UTC'`,
    `alter role ${role} set statement_timeout = '10s'`,
    `alter role ${role} set listing.transactions = off`
  )
  t.teardown(() => execute(owner, `drop role ${role}`))
  const url = Object.assign(new URL(String(pool.connectionString)), { username: role, password: 'Reader-1' })
  const db = openPostgres(t, { connectionString: url.href, max: 2 })
  const { lines } = await serve(t, { db, checkOnReady: 'error' }, { log: 'info' })
  t.match(
    lines.map(({ msg }) => msg),
    ['The database fits the lists.']
  )
  await db.destroy()
})

t.test('row-level security is told where no transaction begins that could set the tenant', async (t) => {
  const pool = await postgresPool(t)
  const owner = openPostgres(t, pool)
  await createTables(owner)
  await execute(owner, 'alter table users enable row level security')
  const reader = await readerUnder(t, owner, "current_setting('app.tenant') = '1'")
  const open = (options: string) => openPostgres(t, { ...pool, options })
  // The superuser sees every row.
  await finds(t, open(line()), [])
  const others = /^info unchecked|^error tables/
  await finds(t, open(`-c role=${reader}`), [], {}, others)
  await finds(
    t,
    open(`-c role=${reader} ${line()}`),
    [
      "warning settings: Row-level security is active on payments, users, and listing.transactions is off: no transaction begins, so set what the policies read in the onReserveConnection of Kysely's dialect."
    ],
    {},
    others
  )
})

t.test('a database that refuses to say its settings is checked for everything else', async (t) => {
  const rewrite = (statement: string) => statement.replace('row_security_active(oid)', 'no_such(oid)')
  const db = await openTables(t, 'postgres', { rewrite })
  const text = 'Not checked, because the database refuses the statement: the settings of the session.'
  await finds(t, db, [`info unchecked: ${text}`])
})
