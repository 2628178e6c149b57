/** A server that answers with the oracle, except for the faults that a test gives it. */
import Fastify from 'fastify'
import type { ConformanceCaller, ConformanceHost } from '../../../src/conformance/index.js'
import * as world from '../fixtures/world.js'
import { type Caller, type DefaultList, expected, plans, reachesOf } from '../oracle/oracle.js'

type KnownCaller = ConformanceCaller & Pick<Caller, 'userId' | 'role'>

/** The callers of the small world, with the properties that the checks need. */
export const conformanceCallers = (headersOf: (caller: (typeof world.callers)[number]) => Record<string, string>) =>
  world.callers.map(
    (caller): KnownCaller => ({
      ...caller,
      name: `the ${caller.role}`,
      headers: headersOf(caller),
      reach: reachesOf(caller.role),
      linked: world.links.filter(({ owner_id }) => owner_id === caller.userId).map(({ user_id }) => user_id)
    })
  )

/** A request with its token and its caller, if it has them. */
export interface Asked {
  url: string
  list: DefaultList
  parameters: URLSearchParams
  search: string
  page: number
  limit: number
  token: string | undefined
  caller: KnownCaller | undefined
}

export interface Answer {
  status: number
  headers: Record<string, string>
  body: Record<string, unknown>
}

/** A record, and its place in the order of the list. Only a payment shows when it was created. */
const entryOf = (item: Record<string, unknown>, place: number) => ({
  ...{ item, place, id: Number(item.assessment_id ?? item.payment_id), userId: Number(item.user_id) || null },
  created: String(item.created_at)
})
type Entry = ReturnType<typeof entryOf>

/** The rules that decide the answers. A test replaces some of them. */
export interface Rules {
  isVisible(entry: Entry, asked: Asked): boolean
  compare(a: Entry, b: Entry, asked: Asked): number
  offset(asked: Asked): number
  answer(answer: Answer, asked: Asked): Answer
}
export const rules: Rules = {
  isVisible({ userId }, { list, caller }) {
    const { userId: own, reach, linked = [] } = caller as KnownCaller
    return (
      reach[list] === 'all' ||
      userId === own ||
      (reach[list] === 'linked' && [linked].flat().some((id) => id === userId))
    )
  },
  compare: (a, b) => a.place - b.place,
  offset: ({ page, limit }) => (page - 1) * limit,
  answer: (answer) => answer
}

const lists = {
  assessments: { key: 'assessments', message: 'Assessments retrieved successfully.' },
  payments: { key: 'data', message: 'Payments retrieved successfully.' }
}

/** A server of the lists that breaks only the given rules. */
export function handWritten(wrong: Partial<Rules> = {}): ConformanceHost & { urls: string[] } {
  const app = Fastify()
  const known = conformanceCallers(({ role }) => ({ authorization: `Bearer token-of-${role}` }))
  const all = { ...rules, ...wrong }
  const urls: string[] = []
  for (const list of ['assessments', 'payments'] as const) {
    app.get(plans[list].path, ({ url, headers: { authorization: token } }, reply) => {
      urls.push(url)
      const caller = known.find(({ headers }) => headers.authorization === token)
      const { searchParams: parameters } = new URL(url, 'http://lists')
      const [page, limit] = [Number(parameters.get('page') ?? 1), Number(parameters.get('limit') ?? 12)]
      const asked = { url, list, parameters, search: parameters.get('search') ?? '', page, limit, token, caller }
      const { status, headers, body } = all.answer(answerTo(asked, all), asked)
      reply.code(status).headers({ 'cache-control': 'private, no-store', ...headers })
      return body
    })
  }
  return { app, callers: known, urls }
}

const refusal = (status: number, error: string, headers = {}): Answer => ({ status, headers, body: { status, error } })

function answerTo(asked: Asked, rules: Rules): Answer {
  const { url, list, parameters, caller, page, limit } = asked
  if (!caller) return refusal(401, 'Invalid or expired token.', { 'www-authenticate': 'Bearer' })
  const { userId, role } = caller
  // The checks send no wrong parameter to those who see the list.
  const { status } = expected(url, { userId, role })
  if (status === 403) return refusal(403, `You do not have permission to access these ${list}.`)
  const whole = new URLSearchParams(parameters)
  whole.delete('page')
  whole.set('limit', '100')
  const { items = [] } = expected(`${plans[list].path}?${whole}`, { userId, role, reach: 'all' })
  const visible = items.map(entryOf).filter((entry) => rules.isVisible(entry, asked))
  const start = rules.offset(asked)
  const sorted = visible.sort((a, b) => rules.compare(a, b, asked)).slice(start, start + limit)
  const { key, message } = lists[list]
  const body = { status: 'success', message, page, limit, total: visible.length, [key]: sorted.map(({ item }) => item) }
  return { status, headers: {}, body }
}
