import { isDeepStrictEqual } from 'node:util'
import type { RawBuilder } from 'kysely'
import t from 'tap'
import type { Row } from '../../../src/database/cells.js'
import { bindSlots, formOf } from '../../../src/database/parameter.js'
import { createListings } from '../../../src/index.js'
import { measured } from '../../../src/limits.js'
import type { List } from '../../../src/lists/list.js'
import { assessments } from '../../../src/lists/ready/assessments.js'
import { defaultLists as lists } from '../../../src/lists/ready/index.js'
import type { Reach } from '../../../src/lists/roles.js'
import { type Matches, type Plan, type Shape, shapeOf } from '../../../src/question/asked/question.js'
import { type Fitted, fittedOf, unknownTraits } from '../../../src/question/fitted/fitted-sql.js'
import { pageSql } from '../../../src/question/sql/page.js'
import { totalOf } from '../../../src/question/sql/records.js'
import { matchesOf } from '../../../src/question/sql/search.js'
import { slotted } from '../../../src/question/sql/statement-cache.js'
import { admin } from '../../support/fixtures/world.js'
import { execute } from '../../support/oracle/check.js'
import fc from '../../support/oracle/properties.js'
import { onDatabases } from '../../support/servers/databases.js'
import { queriesFor, questionFor, sessionOf, unfittedFor, withoutDatabase } from '../../support/servers/session.js'
import { openWorld } from '../../support/servers/tables.js'

const reaches = ['own', 'linked', 'all'] as const

onDatabases(t, 'a table of the host may be called like an alias of a statement', async (t, name) => {
  const db = await openWorld(t, name)
  const pageWith = (users?: string) => {
    const { find } = createListings({ db, resolveRole: () => null, checkOnReady: 'off', tables: { users } })
    return find('payments', { caller: admin, query: { search: 'example', limit: 3 } })
  }
  const expected = await pageWith()
  t.equal(expected.items.length, 3)
  for (const alias of ['r', 'k', 'v', 'o', 'b', 'u', 'p', 'm', 'l', 'one']) {
    await execute(db, `create table ${alias} as select * from users`)
    t.strictSame(await pageWith(alias), expected, alias)
  }
})

onDatabases(t, 'a page limits the ids before it reads columns, and own records have their total', async (t, name) => {
  const session = sessionOf(withoutDatabase(name))
  const sqlOf = (list: List, reach: Reach) => {
    const question = questionFor({ list, reach, userId: '7', parameters: { search: 'ann' } })
    const { page, total } = queriesFor(question, unfittedFor(session, list))
    const beside = { total: true, counts: [] }
    const options = { span: { skip: 24, take: 12, backwards: false }, beside } as const
    const [pageSql = '', totalSql = ''] = [page(options), total()].map((built) =>
      session.compile(built).sql.replaceAll(/["`]/g, '').replaceAll(/\s+/g, ' ').replace(/\$\d+/g, '?')
    )
    return { page: pageSql, total: totalSql }
  }
  for (const list of lists) {
    const id = list === assessments ? 'assessment_id' : 'payment_id'
    for (const reach of reaches) {
      const { page, total } = sqlOf(list, reach)
      const order = `order by r.created_at desc, r.${id} desc limit ? offset ?) ${name === 'postgres' ? 'select ' : 'as k '}`
      t.ok(page.includes(order), `ids of ${reach}`)
      t.ok(page.endsWith('order by k.sort_key desc, k.id desc limit 9007199254740991'), `details of ${reach}`)
      t.match(total, /^select .*count\(\*\).* as record total from /)
      const counted = total.slice(total.indexOf(' from '))
      const withTotal = page.includes(`${counted}) ${name === 'postgres' ? 'end ' : ''}as record total`)
      const expected = name === 'postgres' || reach === 'own'
      t.equal(withTotal, expected, `${reach} has ${withTotal ? 'a' : 'no'} total beside its page`)
    }
  }
})

t.test('the plan of a page decides its order and its condition on MySQL', async (t) => {
  const session = sessionOf(withoutDatabase('mysql'))
  const parameters = { search: 'ann' }
  const sqlOf = (plan?: Plan) => {
    const question = questionFor({ parameters })
    const { page } = queriesFor(question, unfittedFor(session))
    return session.compile(page({ span: { skip: 0, take: 12, backwards: false }, plan })).sql.replaceAll('`', '')
  }
  for (const plan of [undefined, 'scan', 'sort'] as const) {
    const found = sqlOf(plan)
    const isSorted = plan === 'sort'
    t.equal(found.includes('order by coalesce(r.created_at, null) desc'), isSorted, `${plan}`)
    t.equal(found.includes('order by r.created_at desc'), !isSorted, `${plan}`)
    t.equal(found.includes('coalesce(r.user_id, null)'), plan === 'scan', `${plan}`)
    t.equal(found.includes('in (select /*+ SUBQUERY(INTOEXISTS) */ u.user_id'), plan === 'scan', `${plan}`)
  }
})

/** Texts of every form. Many texts have the same form. */
const texts = fc.oneof(
  fc.constantFrom('', '0', '7', '07', '1e3', ' 7', '-1', 'Infinity', 'NaN', '999999999999999', '9999999999999999'),
  fc.constantFrom('abc', 'a_b', '%', "o'b", '\\', '"', '`', '$1', '?', '漢', '😀', '\0', '\n', 'a\n'),
  fc.nat().map(String),
  fc.string(),
  fc.string({ unit: 'grapheme' })
)

type Texts = Record<string, string>

/** Two sets of texts of equal form, for the same parameters. */
const pairs = fc
  .record({ callerId: texts, search: texts, status: texts, processor_status: texts }, { requiredKeys: ['callerId'] })
  .chain((one) => {
    // Most of the other texts have another form, and give the same text.
    const other = fc.tuple(texts, texts, texts, texts).map((values): Texts => {
      const changed: Texts = { ...one }
      for (const [place, name] of Object.keys(one).entries()) {
        const text = String(values[place])
        if (isDeepStrictEqual(formOf(text), formOf(String(changed[name])))) Object.assign(changed, { [name]: text })
      }
      return changed
    })
    return fc.tuple(fc.constant<Texts>(one), other)
  })

const everyMatch: (Matches | undefined)[] = [undefined, { users: [] }, { records: ['1', '02'] }, { users: ['x', '3'] }]

/** Every kind of statement. */
function* statementsOf(shape: Shape, fitted: Fitted): Generator<RawBuilder<Row>> {
  for (const matches of everyMatch) yield totalOf(matches).sql(shape, fitted)
  for (const [place, plan] of ([undefined, 'sort', 'scan', 'sort'] as const).entries()) {
    const withTotal = place % 2 === 1
    const span = { skip: 12, take: 6, backwards: withTotal }
    yield pageSql(shape, fitted, { span, plan, matches: everyMatch[place], windowTotal: withTotal })
  }
  for (const side of ['users', 'records'] as const) {
    if (fitted.list.search[side].length > 0) yield matchesOf(side, measured).sql(shape, fitted)
  }
}

/** Each SQL of each dialect: before a look, after one, and after the database has refused a text. */
const sqls = (['mysql', 'postgres', 'sqlite'] as const).flatMap((name) => {
  const session = sessionOf(withoutDatabase(name))
  const exactIds = ['r.user_id', 'r.payment_id', 'r.assessment_id', 'u.user_id', 'l.owner_id', 'l.user_id']
  const searched = {
    'u.email': { usual: 'converted', slower: 'converted' },
    'u.first_name': { usual: 'folded', slower: 'folded' },
    'r.payment_intent': { usual: 'own', slower: 'converted' }
  } as const
  return [unknownTraits, { ...unknownTraits, exactIds, searched }].flatMap((traits) =>
    [0, 1, 2].map((rung) => ({
      session,
      fitted(list: List): Fitted {
        const usual = fittedOf(list, session.tables, session.dialect, traits)
        return [usual, usual.slower, usual.slower?.slower][rung] ?? usual
      }
    }))
  )
})

t.test('a shape has no text, and questions of one shape have one SQL', async (t) => {
  let different = 0
  const questionsOf = ({ callerId = '', ...parameters }: Texts, list: List) =>
    (['own', 'linked', 'all'] as const).map((reach) => questionFor({ list, reach, userId: callerId, parameters }))
  fc.assert(
    fc.property(pairs, fc.constantFrom(...lists), fc.constantFrom(...sqls), ([one, other], list, sql) => {
      const { session } = sql
      const fitted = sql.fitted(list)
      const compiled = (shape: Shape) => Array.from(statementsOf(shape, fitted), (built) => session.compile(built))
      const kept = questionsOf(one, list).map((question) => compiled(slotted(question).shape))
      for (const texts of [one, other]) {
        for (const [place, question] of questionsOf(texts, list).entries()) {
          for (const [at, { sql, parameters }] of compiled(shapeOf(question)).entries()) {
            const bound = bindSlots(kept[place]?.[at] ?? { sql: '', parameters: [] }, slotted(question).values)
            const same = isDeepStrictEqual([bound.sql, bound.parameters], [sql, parameters])
            if (!same) throw new Error(`${bound.sql}\n${bound.parameters}\n${sql}\n${parameters}`)
          }
        }
      }
      if (JSON.stringify(one) !== JSON.stringify(other)) different++
    }),
    { numRuns: 100 }
  )
  t.ok(different > 25, `${different} of 100 pairs have different texts`)
})
