/** What is asked: scenarios, each with one request or with many different ones. */
import { ownersOf, terms } from './data.mjs'

/** @typedef {import('./servers.mjs').Question} Question */

/**
 * `identical`: requests that can share a count. `plugins`: only ours, with and without plugins of Kysely. Both are only
 * measured at 32 connections, in long turns.
 *
 * @typedef {'identical' | 'plugins'} Kind
 */

/**
 * @typedef {object} Scenario
 * @property {string} name
 * @property {Question[]} questions asked in turn
 * @property {string[]} [bare] statements to compare with, sent without any server
 * @property {{ name: string, questions: Question[] }} [beside] what else ours is asked in the same rounds, to compare
 * @property {Kind} [kind]
 */

/** What a person sends who types a name into a search field. @param {string} name */
const typed = (name) => Array.from(name, (_letter, index) => name.slice(0, index + 1))

/** The name under which ours stands once more, asked for page 1. */
export const firstPage = 'ours, page 1'

const limit = 12
const failed = 'failed'
const pending = 'pending'
const admin = /** @type {const} */ ({ id: 1, role: 'Admin' })

/**
 * @param {import('./database.mjs').BenchDatabase} database
 * @param {number} scale
 * @returns {Promise<Scenario[]>}
 */
export async function scenariosOf({ connection }, scale) {
  /** @param {string} sql */
  const column = (sql) => columnOf(connection, sql)
  /** @param {string} sql */
  const number = async (sql) => Number((await column(sql))[0])

  const callers = await column(
    'select user_id from assessments group by user_id order by abs(cast(count(*) as signed) - 40), user_id limit 300'
  )
  const [email] = await column(`select email from users where user_id = ${callers[0]}`)
  const own = callers.map((id) => ({ id, role: /** @type {const} */ ('Individual') }))
  const [few, many] = ownersOf(scale).map(({ owner, linked }) => ({
    linked,
    caller: { id: owner, role: /** @type {const} */ ('Practitioner') }
  }))
  if (!few || !many) throw new Error('There are two owners.')

  const depth = (/** @type {number} */ offset) => Math.floor(offset / limit) + 1
  const last = (/** @type {number} */ total) => Math.ceil(total / limit)
  const deep = Math.round(500_000 * scale)
  const assessments = await number('select count(*) from assessments')
  const payments = await number('select count(*) from payments')
  const failedPayments = await number(`select count(*) from payments where processor_status = '${failed}'`)

  /** @type {[string, string][]} */
  const searches = [
    ['empty', ''],
    [`broad '${terms.broad}'`, terms.broad],
    [`selective '${terms.selective}'`, terms.selective],
    ['full email', email],
    ['no hit', terms.none]
  ]
  /** @param {string} name @param {Omit<Question, 'list' | 'caller'>} asked @returns {Scenario} */
  const all = (name, asked) => ({
    name: `assessments, admin, ${name}`,
    questions: [{ list: 'assessments', caller: admin, ...asked }]
  })
  /** @param {string} name @param {Omit<Question, 'list' | 'caller'>} asked @returns {Scenario} */
  const paid = (name, asked) => ({
    name: `payments, admin, ${name}`,
    questions: [{ list: 'payments', caller: admin, ...asked }]
  })
  /** @param {{ linked: number, caller: Question['caller'] }} owner @param {string} search @returns {Scenario} */
  const linked = ({ linked, caller }, search) => ({
    name: `assessments, linked ${linked}${search && ` '${search}'`}`,
    questions: [{ list: 'assessments', caller, search }]
  })

  // One scan of the users, and where that finds too many to name them one by one, the leanest count.
  /** @param {string} term */
  const matching = (term) =>
    ['first_name', 'last_name', 'email'].map((name) => `u.${name} like '%${term}%'`).join(' or ')
  /** @param {string} term @param {string} [state] */
  const bareSearch = (term, state) => [
    `select u.user_id from users u where ${matching(term)} limit 2001`,
    ...(term === terms.broad
      ? [
          `select count(*) from users u join assessments a on a.user_id = u.user_id where (${matching(term)})${state ? ` and a.status = '${state}'` : ''}`
        ]
      : [])
  ]
  /** @param {string} term @param {string} [state] */
  const plainOr = (term, state) => {
    const from = `from payments p join users u on u.user_id = p.user_id
      where (p.payment_intent like '%${term}%' or u.email like '%${term}%')${state ? ` and p.processor_status = '${state}'` : ''}`
    return [
      `select count(*) ${from}`,
      `select p.payment_id ${from} order by p.created_at desc, p.payment_id desc limit ${limit}`
    ]
  }

  /** @type {Question[]} */
  const ownAssessments = own.map((caller) => ({ list: 'assessments', caller }))

  return [
    { name: 'assessments, own', questions: ownAssessments },
    { name: 'assessments, own, plugins', questions: ownAssessments, kind: 'plugins' },
    linked(few, ''),
    linked(few, terms.broad),
    linked(many, ''),
    linked(many, terms.broad),
    ...searches.flatMap(([name, search]) => [
      { ...all(name, { search }), ...(search && { bare: bareSearch(search) }) },
      {
        ...all(`${name}, ${pending}`, { search, status: pending }),
        ...(search && { bare: bareSearch(search, pending) })
      }
    ]),
    all(`page at ${deep}`, { page: depth(deep) }),
    { ...all('last page', { page: last(assessments) }), beside: { name: firstPage, questions: all('', {}).questions } },
    all(`broad '${terms.broad}', page at ${deep / 5}`, { search: terms.broad, page: depth(deep / 5) }),
    all(`former '${terms.former}', all old`, { search: terms.former }),
    {
      name: "assessments, admin, 'dorothy' letter by letter",
      questions: typed('dorothy').map((search) => ({ list: 'assessments', caller: admin, search }))
    },
    { name: 'payments, own', questions: own.map((caller) => ({ list: 'payments', caller })) },
    {
      name: `payments, own '${terms.broad}'`,
      questions: own.map((caller) => ({ list: 'payments', caller, search: terms.broad }))
    },
    {
      name: `payments, own, ${failed}`,
      questions: own.map((caller) => ({ list: 'payments', caller, status: failed }))
    },
    paid('empty', {}),
    paid(`empty, ${failed}`, { status: failed }),
    ...[terms.broad, terms.selective, terms.rare, terms.none].flatMap((search, index) => {
      const name = index === 3 ? 'no hit' : `${['broad', 'email', 'rare'][index]} '${search}'`
      return [
        { ...paid(name, { search }), bare: plainOr(search) },
        { ...paid(`${name}, ${failed}`, { search, status: failed }), bare: plainOr(search, failed) }
      ]
    }),
    {
      name: "payments, admin, 'dorothy' letter by letter",
      questions: typed('dorothy').map((search) => ({ list: 'payments', caller: admin, search }))
    },
    paid(`page at ${deep}`, { page: depth(deep) }),
    paid(`page in the middle, ${failed}`, { page: depth(failedPayments / 2), status: failed }),
    paid('last page', { page: last(payments) }),
    paid(`last page, ${failed}`, { page: last(failedPayments), status: failed }),
    { ...all('32 identical', {}), kind: 'identical' },
    { ...all(`32 identical, broad '${terms.broad}'`, { search: terms.broad }), kind: 'identical' }
  ]
}

/**
 * What there is.
 *
 * @param {import('./database.mjs').BenchDatabase} database
 * @returns {Promise<Record<string, number>>}
 */
export async function dataOf({ connection }) {
  const counts = ['users', 'memberships', 'links', 'assessments', 'payments'].map(async (table) => {
    const [count] = await columnOf(connection, `select count(*) from ${table}`)
    return [table, Number(count)]
  })
  const hits = [terms.broad, terms.selective].map(async (term) => {
    const matches = ['first_name', 'last_name', 'email'].map((column) => `${column} like '%${term}%'`).join(' or ')
    const [count] = await columnOf(connection, `select count(*) from users where ${matches}`)
    return [`users with '${term}'`, Number(count)]
  })
  return Object.fromEntries(await Promise.all([...counts, ...hits]))
}

/**
 * @param {import('./database.mjs').BenchDatabase['connection']} connection
 * @param {string} sql
 */
async function columnOf(connection, sql) {
  const [rows] = /** @type {[Record<string, any>[], unknown]} */ (/** @type {unknown} */ (await connection.query(sql)))
  return rows.map((row) => Object.values(row)[0])
}
