/** The lists written by hand, on the small world in memory, and wrong in whichever way a test asks for. */
import Fastify from 'fastify'
import type { ConformanceCaller, ConformanceHost } from '../../src/conformance.js'
import type { Reach } from '../../src/index.js'
import { assessments, callers, links, memberships, payments, users } from './world.js'

/** The world's callers, with what the checks need to know of them. */
export const conformanceCallers = (headersOf: (caller: (typeof callers)[number]) => Record<string, string>) =>
  callers.map(
    (caller): ConformanceCaller => ({
      ...caller,
      name: `the ${caller.role}`,
      headers: headersOf(caller),
      linked: links.filter(({ owner_id }) => owner_id === caller.userId).map(({ user_id }) => user_id)
    })
  )

/** A record, with what it is chosen by. */
interface Entry {
  id: number
  userId: number | null
  created: string
  status: string
  texts: string[]
  item: Record<string, unknown>
}

/** A request, as far as it got. */
export interface Asked {
  list: keyof typeof lists
  token: string | undefined
  caller: ConformanceCaller | undefined
  parameters: URLSearchParams
  search: string
  status: string
  limit: number
}

export interface Answer {
  status: number
  headers: Record<string, string>
  body: Record<string, unknown>
}

/** What decides the answers; a test replaces one of them. */
export const rules = {
  isVisible: (entry: Entry, reach: Reach, { caller }: Asked): boolean =>
    reach === 'all' ||
    entry.userId === caller?.userId ||
    (reach === 'linked' && caller?.linked?.some((id) => id === entry.userId) === true),
  isFound: (entry: Entry, { search }: Asked): boolean =>
    entry.texts.some((text) => text.toLowerCase().includes(search.toLowerCase())),
  hasStatus: (entry: Entry, { status }: Asked): boolean => status === '' || entry.status === status,
  compare: (a: Entry, b: Entry, _asked: Asked): number => b.created.localeCompare(a.created) || b.id - a.id,
  offset: (page: number, { limit }: Asked): number => (page - 1) * limit,
  answer: (answer: Answer, _asked: Asked): Answer => answer
}
export type Rules = typeof rules

const userOf = (id: number | null) => users.find(({ user_id }) => user_id === id)
const digits = (time: string | null) => time && `${time.replace(' ', 'T')}Z`

const lists = {
  assessments: {
    key: 'assessments',
    filter: 'status',
    message: 'Assessments retrieved successfully.',
    entries: assessments.map((row): Entry => {
      const { first_name = '', last_name = '', email = '', avatar_url: avatarUrl = null } = userOf(row.user_id) ?? {}
      const practitioner = userOf(row.practitioner_id)
      const item = {
        assessment_id: String(row.assessment_id),
        licence: row.licence,
        assessment_type: row.assessment_type,
        user_id: String(row.user_id),
        first_name,
        last_name,
        email,
        avatarUrl,
        practitioner_id: practitioner ? String(practitioner.user_id) : '',
        practitioner_first_name: practitioner?.first_name ?? '',
        practitioner_last_name: practitioner?.last_name ?? '',
        org_names: memberships
          .filter(({ user_id }) => user_id === row.user_id)
          .map(({ org_name }) => org_name)
          .sort(),
        status: row.status,
        date_assignment: digits(row.date_assignment),
        date_conclusion: digits(row.date_conclusion)
      }
      const texts = [first_name, last_name, email]
      return { id: row.assessment_id, userId: row.user_id, created: row.created_at, status: row.status, texts, item }
    })
  },
  payments: {
    key: 'data',
    filter: 'processor_status',
    message: 'Payments retrieved successfully.',
    entries: payments.map(({ payment_id: id, user_id: userId, ...row }): Entry => {
      const email = userOf(userId)?.email ?? ''
      const item = {
        ...row,
        payment_id: String(id),
        user_id: userId === null ? '' : String(userId),
        email,
        paid_at: row.paid_at ?? ''
      }
      const texts = [row.payment_intent, email]
      return { id, userId, created: row.created_at, status: row.processor_status, texts, item }
    })
  }
}

/** A server of these lists that keeps every rule but those that are given. */
export function handWritten(wrong: Partial<Rules> = {}): ConformanceHost & { urls: string[] } {
  const app = Fastify()
  const known = conformanceCallers(({ role }) => ({ authorization: `Bearer token-of-${role}` }))
  const all = { ...rules, ...wrong }
  const urls: string[] = []
  for (const list of ['assessments', 'payments'] as const) {
    app.get(`/${list.slice(0, -1)}/list`, (request, reply) => {
      urls.push(request.url)
      const parameters = new URL(request.url, 'http://host').searchParams
      const token = request.headers.authorization
      const asked: Asked = {
        list,
        token,
        caller: known.find(({ headers }) => headers.authorization === token),
        parameters,
        search: parameters.get('search') ?? '',
        status: parameters.get(lists[list].filter) ?? '',
        limit: Number(parameters.get('limit') ?? 12)
      }
      const { status, headers, body } = all.answer(answerTo(asked, all), asked)
      reply.code(status).headers({ 'cache-control': 'private, no-store', ...headers })
      return body
    })
  }
  return { app, callers: known, urls }
}

const refusal = (status: number, error: string, headers = {}): Answer => ({ status, headers, body: { status, error } })

function answerTo(asked: Asked, { isVisible, isFound, hasStatus, compare, offset }: Rules): Answer {
  const { list, caller, parameters, limit } = asked
  if (!caller) return refusal(401, 'Invalid or expired token.', { 'www-authenticate': 'Bearer' })
  const reach = caller[list]
  if (reach === 'none') return refusal(403, `You do not have permission to access these ${list}.`)
  const problem = problemOf(asked)
  if (problem) return refusal(400, problem)
  const { key, message, entries } = lists[list]
  const page = Number(parameters.get('page') ?? 1)
  const found = entries
    .filter((entry) => isVisible(entry, reach, asked) && isFound(entry, asked) && hasStatus(entry, asked))
    .sort((a, b) => compare(a, b, asked))
  const start = offset(page, asked)
  const items = found.slice(start, start + limit).map(({ item }) => item)
  return {
    status: 200,
    headers: {},
    body: { status: 'success', message, page, limit, total: found.length, [key]: items }
  }
}

const maximum = { page: Math.floor(Number.MAX_SAFE_INTEGER / 100), limit: 100 }

function problemOf({ list, parameters, search, status }: Asked): string | undefined {
  const names = ['search', lists[list].filter, 'page', 'limit']
  for (const name of parameters.keys()) {
    if (!names.includes(name)) return `A query parameter is not known; allowed are: ${names.join(', ')}.`
    if (parameters.getAll(name).length > 1) return `The query parameter '${name}' must be given only once.`
  }
  if (list === 'assessments') {
    if (!parameters.has('search')) return "The query parameter 'search' is required; it may be empty."
    const states = ['completed', 'pending', 'reserved']
    if (![...states, ''].includes(status)) return `The query parameter 'status' must be one of: ${states.join(', ')}.`
  }
  if (/\p{Cc}/u.test(search)) return "The query parameter 'search' must not contain control characters."
  if (search.length > 256) return "The query parameter 'search' must have at most 256 characters."
  for (const name of ['page', 'limit'] as const) {
    const value = parameters.get(name) ?? '1'
    if (/^[1-9]\d*$/.test(value) && Number(value) <= maximum[name]) continue
    return `The query parameter '${name}' must be a whole number from 1 to ${maximum[name]}, in plain digits.`
  }
  return undefined
}
