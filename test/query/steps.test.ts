import { CompiledQuery } from 'kysely'
import t from 'tap'
import { type Row, sampleName, samples } from '../../src/database/driver-samples.js'
import type { Session } from '../../src/database/session.js'
import { matchedKey, recordTotal } from '../../src/query/items.js'
import type { ShareCount } from '../../src/query/shared-counts.js'
import type { Statements } from '../../src/query/statements.js'
import { stepsOf } from '../../src/query/steps.js'
import { sessionOf, withoutDatabase } from '../support/session.js'

const proof: Row = Object.fromEntries(samples.map((sample, place) => [sampleName(place), sample]))
const statement = (sql: string) => CompiledQuery.raw(sql) as CompiledQuery<Row>
const options = { span: { skip: 0, take: 12, backwards: false }, plan: 'plain' } as const

/** The steps of a request, whose statements give rows in the order of the rows. */
function watched(rows: Row[][], { share, idsOf }: { share?: ShareCount; idsOf?: Statements['idsOf'] } = {}) {
  const done: unknown[] = []
  const session: Session = {
    ...sessionOf(withoutDatabase('sqlite'), {
      async timed(step, run) {
        done.push(`${step} begins`)
        const result = await run()
        done.push(`${step} ends`)
        return result
      }
    }),
    async run({ sql }, maxMilliseconds) {
      done.push([sql, maxMilliseconds])
      return rows.shift() ?? []
    }
  }
  const statements: Statements = {
    page: ({ plan }) => statement(`page ${plan}`),
    total: (matches) => statement(`total ${matches?.users}`),
    idsOf: idsOf ?? ((side, maxRows) => statement(`${maxRows} ids of ${side}`))
  }
  return { steps: stepsOf(session, statements, share), done }
}

t.test('each step runs one statement, and is timed', async (t) => {
  const page = [{ ...proof, some: 'cell' }]
  const { steps, done } = watched([page, [{ ...proof, [recordTotal]: '31' }], [{ ...proof, [matchedKey]: '4' }]])
  t.equal(await steps.page(options, 50), page)
  t.equal(await steps.total({ users: ['7'] }), 31)
  t.strictSame(await steps.idsOf('records', 5), ['4'])
  t.strictSame(done, [
    'page begins',
    ['page plain', 50],
    'page ends',
    'total begins',
    ['total 7', undefined],
    'total ends',
    'matches begins',
    ['6 ids of records', undefined],
    'matches ends'
  ])
})

t.test('ids are unknown if there are more than the maximum, and null is no id', async (t) => {
  const rows = [null, '1', '2', '3'].map((id) => ({ ...proof, [matchedKey]: id }))
  t.strictSame(await watched([rows]).steps.idsOf('users', 4), ['1', '2', '3'])
  t.equal(await watched([rows]).steps.idsOf('users', 3), undefined)
  t.strictSame(await watched([[]]).steps.idsOf('users', 0), [])
})

t.test('a side that the list does not search matches nothing, without a statement', async (t) => {
  const { steps, done } = watched([], { idsOf: () => undefined })
  t.strictSame(await steps.idsOf('records', 5), [])
  t.strictSame(done, [])
})

t.test('a shared count may run no statement of the request', async (t) => {
  const asked: unknown[] = []
  const share: ShareCount = async ({ shareable }, { sql }, count) => {
    asked.push([shareable !== undefined, sql])
    return asked.length > 1 ? 7 : count()
  }
  const { steps, done } = watched([[{ ...proof, [recordTotal]: '31' }]], { share })
  t.equal(await steps.total(), 31)
  t.equal(await steps.total(), 7)
  t.strictSame(asked, Array(2).fill([true, 'total undefined']))
  t.strictSame(done, ['total begins', ['total undefined', undefined], 'total ends', 'total begins', 'total ends'])
})

t.test('changed samples are an error in every step that reads cells', async (t) => {
  const rows = [{ ...proof, [sampleName(0)]: 'x', [recordTotal]: '31', [matchedKey]: '4' }]
  await t.rejects(watched([rows]).steps.total(), { name: 'Failure' })
  await t.rejects(watched([rows]).steps.idsOf('users', 5), { name: 'Failure' })
})
