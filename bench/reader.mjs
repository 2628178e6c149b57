/** Reads all payments of an administrator once, and reports the time and the memory: `node reader.mjs ours`. */
import { Kysely, MysqlDialect } from 'kysely'
import { createPool } from 'mysql2'
import { createListings } from '../dist/index.js'

const [, , reader = ''] = process.argv
const uri = String(process.env.BENCH_DATABASE)

/** @typedef {Record<string, unknown>} Item */

function ours() {
  const db = new Kysely({ dialect: new MysqlDialect({ pool: createPool(uri) }) })
  const listings = createListings({ db, resolveRole: () => null, timeout: 600_000 })
  return listings.each('payments', { caller: { userId: 1, role: 'Admin' } })
}

/** The cursor that a team writes by hand: batches by key, with the same fields. */
async function* byHand() {
  const pool = createPool({ uri, dateStrings: true }).promise()
  const batch = 1000
  /** @type {unknown[]} */
  let key = []
  for (;;) {
    const after = key.length > 0 ? 'where created_at < ? or (created_at = ? and payment_id < ?)' : ''
    const [rows] = await pool.query(
      `select p.payment_id, p.user_id, u.email, p.amount, p.quantity, p.payment_intent, p.paid_at, p.payment_method,
         p.payment_status, p.processor_status, p.created_at
       from (select payment_id from payments ${after} order by created_at desc, payment_id desc limit ${batch}) k
         join payments p on p.payment_id = k.payment_id left join users u on u.user_id = p.user_id
       order by p.created_at desc, p.payment_id desc`,
      key
    )
    const items = /** @type {Item[]} */ (rows)
    for (const { payment_id, user_id, email, amount, paid_at, ...item } of items) {
      yield {
        ...item,
        payment_id: String(payment_id),
        user_id: String(user_id ?? ''),
        email: email ?? '',
        amount: Number(amount),
        paid_at: paid_at ?? ''
      }
    }
    const last = items.at(-1)
    if (!last || items.length < batch) return
    key = [last.created_at, last.created_at, last.payment_id]
  }
}

const start = performance.now()
const everyRecords = 50_000
const memory = []
let records = 0
for await (const _item of reader === 'ours' ? ours() : byHand()) {
  records++
  if (records % everyRecords === 0) memory.push(process.memoryUsage.rss())
}
process.send?.({ records, seconds: (performance.now() - start) / 1000, memory })
process.exit()
