/** Payments by hand. */
import { indexPage, isDense, namedUsers, newestFirst, pattern, proven, totalIn } from './sql.mjs'

/** @param {string} ids @param {string} [more] */
const details = (ids, more = '') => `
  select p.payment_id, p.user_id, u.email, p.amount, p.quantity, p.payment_intent, p.paid_at, p.payment_method,
    p.payment_status, p.processor_status, p.created_at ${more}
  from (${ids}) k join payments p on p.payment_id = k.id left join users u on u.user_id = p.user_id`

/** @param {import('./sql.mjs').Ask} ask @param {import('./sql.mjs').Asked} asked */
export async function payments(ask, asked) {
  const { rows, total } = await find(ask, asked)
  return { total, items: newestFirst(rows, 'payment_id').map(item) }
}

/** @param {import('./sql.mjs').Ask} ask @param {import('./sql.mjs').Asked} asked */
async function find(ask, { userId, role, search, processor_status: status, page, limit }) {
  const offset = (page - 1) * limit
  const cut = `limit ${limit} offset ${offset}`
  const term = search ? [pattern(search)] : []
  const state = status ? [status] : []
  const isState = status ? ' and p.processor_status = ?' : ''

  if (role !== 'Admin') {
    const from = `from payments p ${search ? 'left join users u on u.user_id = p.user_id' : ''}
      where p.user_id = ? ${isState} ${search ? 'and (p.payment_intent like ? or u.email like ?)' : ''}`
    const values = [userId, ...state, ...term, ...term]
    const count = `select count(*) as total ${from}`
    const ids = `select p.payment_id as id ${from} order by p.created_at desc, p.payment_id desc ${cut}`
    const rows = await ask(details(ids, `, (${count}) as total`), [...values, ...values])
    if (rows.length > 0) return { rows, total: totalIn(rows) }
    return { rows, total: offset === 0 ? 0 : totalIn(await ask(count, values)) }
  }

  if (!search) {
    const where = status ? 'where processor_status = ?' : ''
    const total = totalIn(await ask(`select count(*) as total from payments ${where}`, state))
    return {
      total,
      rows: await ask(details(indexPage('payments', 'payment_id', where, { total, limit, offset })), state)
    }
  }

  if (status) {
    // few have the status that is asked for here, so that reading all of these is the least
    const from = `from payments p left join users u on u.user_id = p.user_id
      where p.processor_status = ? and (p.payment_intent like ? or u.email like ?)`
    const values = [...state, ...term, ...term]
    const rows = await ask(
      details(`select p.payment_id as id ${from} order by p.created_at desc, p.payment_id desc ${cut}`),
      values
    )
    return {
      rows,
      total: proven(rows, limit, offset) ?? totalIn(await ask(`select count(*) as total ${from}`, values))
    }
  }

  const users = await ask(`select user_id as id from users where email like ? limit ${namedUsers + 1}`, term)
  const byCode = `select p.payment_id as id, p.created_at from payments p where p.payment_intent like ?`
  if (users.length <= namedUsers) {
    // both sets, united and counted at once
    const byUser = users.length
      ? `union select p.payment_id, p.created_at from payments p
         where p.user_id in (${users.map(({ id }) => id).join()})`
      : ''
    const ids = `select id, count(*) over () as total from (${byCode} ${byUser}) found
      order by created_at desc, id desc ${cut}`
    const rows = await ask(details(ids, ', k.total'), [...term])
    if (rows.length > 0) return { rows, total: totalIn(rows) }
    if (offset === 0) return { rows, total: 0 }
    const all = await ask(`select count(*) as total from (${byCode} ${byUser}) found`, [...term])
    return { rows, total: totalIn(all) }
  }

  const [codes] = await ask(
    `select count(*) as total, coalesce(sum(u.email like ?), 0) as twice
     from payments p left join users u on u.user_id = p.user_id where p.payment_intent like ?`,
    [...term, ...term]
  )
  const ofUsers = await ask(
    `select count(*) as total from users u join payments p on p.user_id = u.user_id where u.email like ?`,
    [...term]
  )
  const total = Number(codes?.total) - Number(codes?.twice) + totalIn(ofUsers)
  if (isDense(total, offset + limit)) {
    const ids = `select p.payment_id as id from payments p left join users u on u.user_id = p.user_id + 0
      where (p.payment_intent like ? or u.email like ?) order by p.created_at desc, p.payment_id desc ${cut}`
    return { total, rows: await ask(details(ids), [...term, ...term]) }
  }
  const ids = `${byCode} union select straight_join p.payment_id, p.created_at
    from users u join payments p on p.user_id = u.user_id where u.email like ?
    order by created_at desc, id desc ${cut}`
  return { total, rows: await ask(details(ids), [...term, ...term]) }
}

/** @param {Record<string, any>} row */
const item = ({ amount, paid_at, ...row }) => ({ ...row, amount: Number(amount), paid_at: paid_at ?? '' })
