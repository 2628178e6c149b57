import { sql } from 'kysely'
import t from 'tap'
import { clientText } from '../src/dialect.js'
import { sourcesOf } from '../src/source.js'
import { type Reach, reachOf, scopeOf, visibilityOf } from '../src/visibility.js'
import { openDatabase } from './support/databases.js'
import { serve } from './support/server.js'
import { expectedAssessments, expectedPayments, fill } from './support/world.js'

t.test('a role’s reach is that of its exact name, with the host’s changes', (t) => {
  const visibility = visibilityOf({ Admin: 'all', Individual: 'own' }, 'none', {
    Auditor: 'linked',
    Individual: 'none'
  })
  for (const [role, reach] of [
    ['Admin', 'all'],
    ['Auditor', 'linked'],
    ['Individual', 'none'],
    ['admin', 'none'],
    ['constructor', 'none'],
    ['__proto__', 'none'],
    ['', 'none']
  ] as const) {
    t.equal(reachOf(visibility, role), reach, role)
  }
  t.end()
})

t.test('each reach is one condition; none is no query', async (t) => {
  const db = await openDatabase(t, 'sqlite')
  const source = sourcesOf({ db, relations: {} })({} as never)
  const sqlOf = (reach: Reach, plainIds = false, userId = '7') => {
    const { join, where } = scopeOf(reach, clientText(userId), source, 'payments', plainIds)
    const { sql: text, parameters } = sql`${join} where ${sql.join(where)}`.compile(db)
    return { text: text.replace(/\s+/g, ' ').trim(), parameters }
  }
  t.strictSame(sqlOf('all'), { text: 'where', parameters: [] })
  t.strictSame(sqlOf('own'), {
    text: 'where ("r"."user_id" in (?, cast(? as numeric)) and cast("r"."user_id" as text) collate binary = ?)',
    parameters: ['7', '7', '7']
  })
  t.match(sqlOf('linked'), {
    text: /^inner join \( select "l"."user_id", .* as bytes from "links" as l where .* union select "o"."user_id", .* as bytes from "payments" as o where .* \) as v on "v"."user_id" = "r"."user_id" and cast\("v"."user_id" as text\) collate binary = .* where$/,
    parameters: ['7', '7', '7', '7', '7', '7']
  })
  t.match(sqlOf('linked', true).text, /select "l"."user_id" from .* as v on "v"."user_id" = "r"."user_id" where$/)
  // among exact numbers a whole number is one of them; what else looks like one must be the very same text
  t.strictSame(sqlOf('own', true), { text: 'where "r"."user_id" = ?', parameters: [7] })
  for (const other of ['07', '7.0', '7e0', '-0', '1234567890123456']) {
    t.match(sqlOf('own', true, other).text, /collate binary = \?\)$/, other)
  }
  t.throws(() => sqlOf('none'), { message: 'A caller who may see nothing has no query.' })
})

t.test('a host adds roles and changes reaches', async (t) => {
  const db = await openDatabase(t, 'sqlite')
  await fill(db)
  const lines: unknown[] = []
  const { get } = await serve(
    t,
    {
      db,
      visibility: {
        assessments: { Auditor: 'all', Individual: 'none' },
        payments: { Practitioner: 'linked', Auditor: 'all' }
      }
    },
    { server: { logger: { level: 'warn', stream: { write: (line: string) => lines.push(line) } } } }
  )
  const total = async (url: string, role: string) => {
    const { status, body } = await get(url, { userId: 10, role })
    return body.total ?? status
  }
  t.equal(await total('/assessment/list?search=', 'Auditor'), expectedAssessments('all', 10).length)
  t.equal(await total('/assessment/list?search=', 'Individual'), 403)
  t.equal(await total('/payment/list', 'Auditor'), expectedPayments('all', 10).length)
  t.equal(await total('/payment/list', 'Practitioner'), expectedPayments('linked', 10).length)
  t.strictSame(lines, [], 'a role that the host names is known')
})
