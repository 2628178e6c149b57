/** Assessments by hand. */
import { indexPage, isDense, namedUsers, newestFirst, pattern, proven, totalIn } from './sql.mjs'

const matches = '(u.first_name like ? or u.last_name like ? or u.email like ?)'

/** The users whom a practitioner sees come first, then their records. */
const visible = `(select user_id from links where owner_id = ? union select cast(? as signed)) v
  join assessments a on a.user_id = v.user_id`

/** @param {string} ids @param {string} [more] */
const details = (ids, more = '') => `
  select a.assessment_id, a.licence, a.assessment_type, a.user_id, u.first_name, u.last_name, u.email, u.avatar_url,
    a.practitioner_id, p.first_name as practitioner_first_name, p.last_name as practitioner_last_name,
    (select json_arrayagg(m.org_name) from memberships m where m.user_id = a.user_id) as org_names,
    a.status, a.date_assignment, a.date_conclusion, a.created_at ${more}
  from (${ids}) k join assessments a on a.assessment_id = k.id
  left join users u on u.user_id = a.user_id left join users p on p.user_id = a.practitioner_id`

const newest = 'order by a.created_at desc, a.assessment_id desc'

/** @param {import('./sql.mjs').Ask} ask @param {import('./sql.mjs').Asked} asked */
export async function assessments(ask, asked) {
  const { rows, total } = await find(ask, asked)
  return { total, items: newestFirst(rows, 'assessment_id').map(item) }
}

/** @param {import('./sql.mjs').Ask} ask @param {import('./sql.mjs').Asked} asked */
async function find(ask, { userId, role, search, status, page, limit }) {
  const offset = (page - 1) * limit
  const cut = `limit ${limit} offset ${offset}`
  const term = search ? Array(3).fill(pattern(search)) : []
  const state = status ? [status] : []
  const isState = status ? ' and a.status = ?' : ''

  if (role === 'Individual') {
    const from = `from assessments a ${search ? 'join users u on u.user_id = a.user_id' : ''}
      where a.user_id = ? ${isState} ${search ? `and ${matches}` : ''}`
    const values = [userId, ...state, ...term]
    const count = `select count(*) as total ${from}`
    const rows = await ask(details(`select a.assessment_id as id ${from} ${newest} ${cut}`, `, (${count}) as total`), [
      ...values,
      ...values
    ])
    if (rows.length > 0) return { rows, total: totalIn(rows) }
    return { rows, total: offset === 0 ? 0 : totalIn(await ask(count, values)) }
  }

  if (role === 'Practitioner') {
    const from = `from ${visible} ${search ? 'join users u on u.user_id = v.user_id' : ''}
      where true ${isState} ${search ? `and ${matches}` : ''}`
    const values = [userId, userId, ...state, ...term]
    const rows = await ask(details(`select a.assessment_id as id ${from} ${newest} ${cut}`), values)
    const total = proven(rows, limit, offset) ?? totalIn(await ask(`select count(*) as total ${from}`, values))
    return { rows, total }
  }

  if (!search) {
    const where = status ? 'where status = ?' : ''
    const total = totalIn(await ask(`select count(*) as total from assessments ${where}`, state))
    return {
      total,
      rows: await ask(details(indexPage('assessments', 'assessment_id', where, { total, limit, offset })), state)
    }
  }

  const users = await ask(`select u.user_id as id from users u where ${matches} limit ${namedUsers + 1}`, term)
  if (users.length === 0) return { rows: [], total: 0 }
  if (users.length <= namedUsers) {
    const from = `from assessments a where a.user_id in (${users.map(({ id }) => id).join()}) ${isState}`
    const rows = await ask(details(`select a.assessment_id as id ${from} ${newest} ${cut}`), state)
    return { rows, total: proven(rows, limit, offset) ?? totalIn(await ask(`select count(*) as total ${from}`, state)) }
  }
  const where = `where ${matches} ${isState}`
  const values = [...term, ...state]
  const total = totalIn(
    await ask(`select count(*) as total from users u join assessments a on a.user_id = u.user_id ${where}`, values)
  )
  const ids = isDense(total, offset + limit)
    ? // the computed id keeps the optimizer from beginning with the users
      'select a.assessment_id as id from assessments a join users u on u.user_id = a.user_id + 0'
    : // with a state the optimizer knows better where to begin
      `select ${status ? '' : 'straight_join'} a.assessment_id as id from users u join assessments a on a.user_id = u.user_id`
  return { total, rows: await ask(details(`${ids} ${where} ${newest} ${cut}`), values) }
}

/** @param {string | null} time */
const utc = (time) => time && `${time.slice(0, 10)}T${time.slice(11)}Z`

/** @param {Record<string, any>} row */
export const item = ({ avatar_url, org_names, date_assignment, date_conclusion, ...row }) => ({
  ...row,
  avatarUrl: avatar_url,
  org_names: org_names ? (typeof org_names === 'string' ? JSON.parse(org_names) : org_names).sort() : [],
  date_assignment: utc(date_assignment),
  date_conclusion: utc(date_conclusion)
})
