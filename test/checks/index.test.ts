import t from 'tap'
import { checkDatabase, formatFindings, payments } from '../../src/index.js'
import { areAll, execute, finds } from '../support/oracle/check.js'
import { onDatabases } from '../support/servers/databases.js'
import { openTables, openWorld } from '../support/servers/tables.js'

onDatabases(t, 'nothing is found in the default tables, empty or filled,', async (t, name) => {
  await finds(t, await openTables(t, name), [])
  await finds(t, await openWorld(t, name), [])
})

onDatabases(t, 'everything that is wrong is found at once', async (t, name) => {
  const db = await openTables(t, name)
  await execute(
    db,
    'alter table users rename column email to mail',
    'drop table memberships',
    'drop table payments',
    'create table payments as select payment_id, 1 as amount from (select 1 as payment_id) as one',
    'drop table links',
    'create table links (owner_id integer, user_id integer)'
  )
  areAll(t, formatFindings(await checkDatabase({ db })).split('\n'), [
    'Fix the `tables` option or the database:',
    /^- payments lacks payments\.user_id, payments\.quantity, .*, payments\.created_at\.$/,
    "- users lacks users.email (did you mean 'mail'?).",
    /^- memberships needs the columns user_id, org_name, and cannot be read; the database says: .*memberships/,
    'Create these indexes, or pages take long where there are many records:',
    /^create index .payments_payment_id. on .payments. \(.payment_id.\);$/,
    /^create index .links_owner_id_user_id. on .links. \(.owner_id., .user_id.\);$/
  ])
})

t.test('checkDatabase takes the options of createListings', async (t) => {
  const db = await openTables(t, 'sqlite')
  await execute(db, 'drop table links', 'drop table assessments')
  const roles = { payments: { Practitioner: 'linked' } } as const
  const found = await checkDatabase({ db, resolveRole: () => null, lists: [payments], roles, timeout: 100 })
  const texts = found.map(({ level, text }) => `${level}: ${text}`)
  areAll(t, texts, [/^error: links needs the columns owner_id, user_id/])
  await t.rejects(checkDatabase({ db, maxLimit: 0 }), { code: 'FST_LISTING_INVALID_OPTION' })
  await t.rejects(checkDatabase({ db: (() => db) as never }), {
    code: 'FST_LISTING_INVALID_OPTION',
    message: "Option 'db': checkDatabase needs a Kysely instance; got a function."
  })
})
