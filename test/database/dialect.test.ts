import { sql } from 'kysely'
import t from 'tap'
import { type Dialect, fallbackFor, sameId } from '../../src/database/dialect.js'
import { mysql } from '../../src/database/dialects/mysql.js'
import { postgres } from '../../src/database/dialects/postgres.js'
import { sqlite } from '../../src/database/dialects/sqlite.js'
import { GarbledRows } from '../../src/database/driver-samples.js'
import { parameterOf } from '../../src/database/parameter.js'
import type { DatabaseName } from '../support/databases.js'
import { serve } from '../support/server.js'
import { withoutDatabase } from '../support/session.js'
import { openWorld } from '../support/tables.js'
import { admin } from '../support/world.js'

const dialects: Record<DatabaseName, Dialect> = { mysql, postgres, sqlite }
const illegalMix = { errno: 1267 }
const invalidText = { code: '22P02' }

const sqlOf = ({ name, same, text }: Dialect) =>
  sql`${same(sql.ref('c'), parameterOf('abc'))} ${text(sql.ref('c'))}`.compile(withoutDatabase(name)).sql

t.test('an error about a text leads to SQL without that error, once', (t) => {
  for (const [name, error] of [
    ['mysql', illegalMix],
    ['postgres', invalidText]
  ] as const) {
    const dialect = dialects[name]
    const slower = fallbackFor(dialect, error) as Dialect
    t.match(slower, { name, plan: undefined, fallback: undefined, snapshot: dialect.snapshot })
    t.not(sqlOf(slower), sqlOf(dialect))
    t.equal(fallbackFor(slower, error), undefined)
    t.ok(fallbackFor(slower, new GarbledRows()), 'another error still has another fallback')
  }
  t.equal(fallbackFor(sqlite, invalidText), undefined, 'SQLite has no such error')
  t.end()
})

t.test('rows with changed text lead to SQL that reads bytes, once', (t) => {
  for (const name of ['mysql', 'postgres', 'sqlite'] as const) {
    const dialect = dialects[name]
    const slower = fallbackFor(dialect, new GarbledRows()) as Dialect
    t.equal(slower.text, dialect.bytes)
    t.not(sqlOf(slower), sqlOf(dialect))
    t.equal(slower.fallback, dialect.fallback)
    t.equal(fallbackFor(slower, new GarbledRows()), undefined)
  }
  t.end()
})

t.test('other errors have no fallback', (t) => {
  for (const error of [new Error('other'), { errno: 1146 }, { code: '42P01' }, undefined, null, 'text']) {
    for (const dialect of Object.values(dialects)) t.equal(fallbackFor(dialect, error), undefined)
  }
  t.end()
})

t.test('an id is compared as a number only if the column and the id are numbers', (t) => {
  const sqlOfId = (plainIds: boolean, id: string) =>
    sameId(mysql, plainIds, 'c', parameterOf(id)).compile(withoutDatabase('mysql'))
  t.match(sqlOfId(true, '12'), { sql: '`c` = ?', parameters: [12] })
  for (const [plainIds, id] of [
    [false, '12'],
    [true, '12abc'],
    [true, '012'],
    [true, '1.0']
  ] as const) {
    t.match(sqlOfId(plainIds, id), { sql: /^\(`c` = \? and cast\(.* as binary\) = \?\)$/, parameters: [id] }, id)
  }
  t.end()
})

t.test('the fallback of one request does not slow down the next request', async (t) => {
  const pages: string[] = []
  const db = await openWorld(t, 'mysql', {
    onQuery: ({ sql }) => {
      if (sql.includes('record creation')) pages.push(sql.includes('`processor_status` = ') ? 'usual' : 'slower')
    }
  })
  await sql`alter table payments modify processor_status varchar(50) character set latin1`.execute(db)
  const { get } = await serve(t, { db })
  for (const [status, total, sent] of [
    ['pending', 11, ['usual']],
    // A latin1 column cannot hold this text.
    ['漢', 0, ['usual', 'slower']],
    ['pending', 11, ['usual']],
    ['漢', 0, ['usual', 'slower']],
    ['字', 0, ['usual', 'slower']]
  ] as const) {
    const { body } = await get(`/payment/list?processor_status=${encodeURIComponent(status)}`, admin)
    t.equal(body.total, total)
    t.strictSame(pages.splice(0), sent, status)
  }
})
