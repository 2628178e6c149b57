/** What is asked: scenarios, each with one request or with many different ones. */
import { ownersOf, personsOf40, terms } from './data.ts'
import type { BenchDatabase } from './database.ts'
import type { Kind, Question } from './servers.ts'

export interface Scenario {
  name: string
  /** They are asked in turn. */
  questions: Question[]
  kind?: Kind
}

type Asked = Omit<Question, 'list' | 'caller'>

const limit = 12
const failed = 'failed'
const pending = 'pending'
const admin = { id: 1, role: 'Admin' as const }

export async function scenariosOf({ rows }: BenchDatabase, scale: number): Promise<Scenario[]> {
  const countOf = async (from: string) => Number((await rows(`select count(*) as count from ${from}`))[0]?.count)

  const users = await rows(personsOf40)
  const [person] = await rows(`select email from users where user_id = ${users[0]?.user_id}`)
  const lastPage = async (from: string) => Math.ceil((await countOf(from)) / limit)
  const ofFailed = `payments where processor_status = '${failed}'`
  const deep = Math.round(500_000 * scale)
  const pageAt = (offset: number) => Math.floor(offset / limit) + 1

  const all = (list: Question['list'], name: string, asked: Asked): Scenario => ({
    name: `${list}, admin, ${name}`,
    questions: [{ list, caller: admin, ...asked }]
  })
  /** Also with a status. */
  const search = (list: Question['list'], status: string, name: string, search: string) => [
    all(list, name, { search }),
    all(list, `${name}, ${status}`, { search, status })
  ]
  const own = (list: Question['list'], name: string, asked: Asked): Scenario => ({
    name: `${list}, own${name}`,
    questions: users.map(({ user_id: id }) => ({ list, caller: { id, role: 'Individual' }, ...asked }))
  })
  const linked = ownersOf(scale).flatMap(({ owner: id, linked }) =>
    ['', terms.broad].map(
      (search): Scenario => ({
        name: `assessments, linked ${linked}${search && ` '${search}'`}`,
        questions: [{ list: 'assessments', caller: { id, role: 'Practitioner' }, search }]
      })
    )
  )

  /** The clinics of a desk, and a lead's own records with those of eight practitioners. */
  const reached = [{ page: 1 }, { page: 50 }, { search: terms.broad }].flatMap(({ page = 1, search }): Scenario[] => {
    const asked = { list: 'assessments', search, page } as const
    const what = search ? `'${search}'` : `page ${page}`
    const leads = users.map(({ user_id: id }) => ({ caller: { id, role: 'Lead' as const }, ...asked }))
    const desk = { caller: { id: ownersOf(scale)[1]?.owner, role: 'Desk' as const }, ...asked }
    return [
      { name: `assessments, 200 practitioners, ${what}`, questions: [desk], kind: 'reach' },
      { name: `assessments, own or 8 practitioners, ${what}`, questions: leads, kind: 'reach' }
    ]
  })

  return [
    own('assessments', '', {}),
    { ...own('assessments', ', Kysely', {}), kind: 'kysely' },
    ...linked,
    ...reached,
    ...search('assessments', pending, 'empty', ''),
    ...search('assessments', pending, `broad '${terms.broad}'`, terms.broad),
    ...search('assessments', pending, `selective '${terms.selective}'`, terms.selective),
    ...search('assessments', pending, 'full email', person?.email),
    ...search('assessments', pending, 'no hit', terms.none),
    all('assessments', `page at ${deep}`, { page: pageAt(deep) }),
    all('assessments', 'last page', { page: await lastPage('assessments') }),
    all('assessments', `broad '${terms.broad}', page at ${deep / 5}`, { search: terms.broad, page: pageAt(deep / 5) }),
    all('assessments', `former '${terms.former}', all old`, { search: terms.former }),
    own('payments', '', {}),
    own('payments', ` '${terms.broad}'`, { search: terms.broad }),
    own('payments', `, ${failed}`, { status: failed }),
    all('payments', 'empty', {}),
    all('payments', `empty, ${failed}`, { status: failed }),
    ...search('payments', failed, `broad '${terms.broad}'`, terms.broad),
    ...search('payments', failed, `email '${terms.selective}'`, terms.selective),
    ...search('payments', failed, `rare '${terms.rare}'`, terms.rare),
    ...search('payments', failed, 'no hit', terms.none),
    all('payments', `page at ${deep}`, { page: pageAt(deep) }),
    all('payments', `page in the middle, ${failed}`, { page: pageAt((await countOf(ofFailed)) / 2), status: failed }),
    all('payments', 'last page', { page: await lastPage('payments') }),
    all('payments', `last page, ${failed}`, { page: await lastPage(ofFailed), status: failed })
  ]
}

/** What there is. */
export async function dataOf({ rows }: BenchDatabase): Promise<Record<string, number>> {
  const found = (term: string) =>
    ['first_name', 'last_name', 'email'].map((column) => `${column} like '%${term}%'`).join(' or ')
  const parts = [
    ...['users', 'memberships', 'links', 'assessments', 'payments'].map((table) => [table, table]),
    ...[terms.broad, terms.selective].map((term) => [`users with '${term}'`, `users where ${found(term)}`])
  ]
  const counts = parts.map(async ([name, from]) => {
    const [row] = await rows(`select count(*) as count from ${from}`)
    return [name, Number(row?.count)]
  })
  return Object.fromEntries(await Promise.all(counts))
}
