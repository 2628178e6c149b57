/** A server that answers with the oracle, except for the faults that a test gives it. */
import Fastify from 'fastify'
import type { ConformanceCaller, ConformanceHost } from '../../src/conformance/index.js'
import * as oracle from './oracle.js'
import * as world from './world.js'

type KnownCaller = ConformanceCaller & Pick<oracle.Caller, 'userId' | 'role'>

/** The callers of the small world, with the properties that the checks need. */
export const conformanceCallers = (headersOf: (caller: oracle.Caller) => Record<string, string>) =>
  world.callers.map(
    (caller): KnownCaller => ({
      ...caller,
      name: `the ${caller.role}`,
      headers: headersOf(caller),
      reach: oracle.reachesOf(caller.role),
      linked: world.links.filter(({ owner_id }) => owner_id === caller.userId).map(({ user_id }) => user_id)
    })
  )

/** A request with its token and its caller, if it has them. */
export interface Asked extends oracle.Question {
  token: string | undefined
  caller: KnownCaller | undefined
}

export interface Answer {
  status: number
  headers: Record<string, string>
  body: Record<string, unknown>
}

/** The rules that decide the answers. A test replaces some of them. */
export interface Rules extends oracle.Rules<Asked> {
  answer(answer: Answer, asked: Asked): Answer
}
export const rules: Rules = { ...oracle.contract, answer: (answer) => answer }

const lists = {
  assessments: { key: 'assessments', filter: 'status', message: 'Assessments retrieved successfully.' },
  payments: { key: 'data', filter: 'processor_status', message: 'Payments retrieved successfully.' }
}

/** A server of the lists that breaks only the given rules. */
export function handWritten(wrong: Partial<Rules> = {}): ConformanceHost & { urls: string[] } {
  const app = Fastify()
  const known = conformanceCallers(({ role }) => ({ authorization: `Bearer token-of-${role}` }))
  const all = { ...rules, ...wrong }
  const urls: string[] = []
  for (const path of ['/assessment/list', '/payment/list']) {
    app.get(path, (request, reply) => {
      urls.push(request.url)
      const token = request.headers.authorization
      const caller = known.find(({ headers }) => headers.authorization === token)
      const { userId, role } = caller ?? { userId: '', role: '' }
      const asked = { ...oracle.questionOf(request.url, { userId, role }), token, caller }
      const { status, headers, body } = all.answer(answerTo(asked, all), asked)
      reply.code(status).headers({ 'cache-control': 'private, no-store', ...headers })
      return body
    })
  }
  return { app, callers: known, urls }
}

const refusal = (status: number, error: string, headers = {}): Answer => ({ status, headers, body: { status, error } })

function answerTo(asked: Asked, rules: Rules): Answer {
  const { list, caller, reach, page, limit } = asked
  if (!caller) return refusal(401, 'Invalid or expired token.', { 'www-authenticate': 'Bearer' })
  if (reach === 'none') return refusal(403, `You do not have permission to access these ${list}.`)
  const problem = problemOf(asked)
  if (problem) return refusal(400, problem)
  const { key, message } = lists[list as oracle.DefaultList]
  const { total, items } = oracle.pageOf(asked, world, rules)
  return { status: 200, headers: {}, body: { status: 'success', message, page, limit, total, [key]: items } }
}

const maximum = { page: Math.floor(Number.MAX_SAFE_INTEGER / 100), limit: 100 }

function problemOf({ list, parameters, search, status }: Asked): string | undefined {
  const names = ['search', lists[list as oracle.DefaultList].filter, 'page', 'limit']
  for (const name of parameters.keys()) {
    if (!names.includes(name)) {
      return `The query parameter '${name}' is not known; allowed are: ${names.join(', ')}.`
    }
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
