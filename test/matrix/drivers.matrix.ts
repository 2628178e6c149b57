/**
 * The same bytes on every driver: each setting of `drivers.ts` alone, and each with every other one, must give the
 * answers of a plain pool, or be refused in words that name the setting. At the size `short` the turn of the day
 * chooses a tenth of the pairs, so that every pair has its turn within ten days.
 */
import { sql } from 'kysely'
import t, { type Test } from 'tap'
import { mysqlPool } from '../support/databases.js'
import { type MatrixRow, report } from '../support/matrix.js'
import { fill } from './driver-data.js'
import { open, tell } from './driver-host.js'
import { cellsOf, questions, shortly } from './driver-questions.js'
import { add, verdictOf } from './driver-verdict.js'
import { goTogether, type Setting, settings } from './drivers.js'

t.setTimeout(3_600_000)

const isShort = process.env.MATRIX === 'short'
const turns = 10
const today = Math.floor(Date.now() / 86_400_000)
/** Of the pairs; MATRIX_TURN repeats that of another day. */
const turn = Number(process.env.MATRIX_TURN ?? today) % turns

const pool = await mysqlPool(t, { connectionLimit: 2 })
const db = open(pool, [])
await fill(db)
const { rows } = await sql<{ version: string }>`select version() as version`.execute(db)
await db.destroy()
const server = rows[0]?.version.includes('MariaDB') ? 'MariaDB' : 'MySQL'

const plain = await tell(pool)
const here = settings.filter(({ only }) => only === undefined || only === server)

t.test('a plain pool', async (t) => {
  for (const [index, { url, caller, answer, cells = {} }] of questions.entries()) {
    const given = plain.answers[index]
    if (!given) throw new Error(`The host did not start: ${plain.reasons}`)
    t.equal(shortly(given), answer, `${caller?.role} ${caller?.userId} ${url}`)
    for (const [field, values] of Object.entries(cells)) t.strictSame(cellsOf(given, field), values, `${url} ${field}`)
  }
  t.strictSame(plain.reasons, ['Column payments.created_at of payment_id 99 is a zero date.'])
})

const concurrency = 3

/** Does `work` for all items, some at once. */
async function forAll<Item>(items: readonly Item[], work: (item: Item) => Promise<void>): Promise<void> {
  const left = items.values()
  await Promise.all(
    Array.from({ length: concurrency }, async () => {
      for (const item of left) await work(item)
    })
  )
}

const rowOf = ({ group, name }: Setting, others = ''): MatrixRow => ({
  part: 'drivers',
  name: `${server}, ${group}: ${name}${others}`,
  tried: 0,
  identical: 0,
  different: []
})

const isRefused = (setting: Setting) => setting.refused !== undefined

t.test(`each setting alone on ${server}`, async (t) => {
  await forAll(here, async (setting) => {
    const row = rowOf(setting)
    add(row, verdictOf(plain, await tell(pool, [setting]), [setting]))
    conclude(t, row)
  })
})

const pairs = isShort ? `a tenth of all pairs, MATRIX_TURN=${turn}` : 'every two settings'
t.test(`${pairs}, on ${server}`, async (t) => {
  const others = isShort ? `, with a tenth of the others, MATRIX_TURN=${turn}` : ', with each other'
  const rows = new Map(here.map((setting) => [setting, rowOf(setting, others)]))
  let place = 0
  const isChosen = () => !isShort || place++ % turns === turn
  for (const [index, one] of here.entries()) {
    const others = here.slice(index + 1).filter((other) => goTogether(one, other) && isChosen())
    await forAll(others, async (other) => {
      const verdict = verdictOf(plain, await tell(pool, [one, other]), [one, other])
      // a pair counts for both, but a refusal only for the setting that is refused
      const pair = [one, other].some(isRefused) ? [one, other].filter(isRefused) : [one, other]
      for (const [setting, row] of rows) if (pair.includes(setting)) add(row, verdict)
    })
    // everything before it has been paired with it
    const row = rows.get(one)
    if (row) conclude(t, row)
  }
})

/** Asserts and records a row. */
function conclude(t: Test, row: MatrixRow): void {
  const refused = row.refused ? `, refused: ${row.refused}` : ''
  t.strictSame(row.different, [], `${row.name}: ${row.identical} of ${row.tried} answers identical${refused}`)
  report(row)
}
