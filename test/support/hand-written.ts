/** A server that answers with the oracle, except for the faults that a test gives it. */
import Fastify from 'fastify'
import type { ConformanceCaller, ConformanceHost } from '../../src/conformance/index.js'
import * as oracle from './oracle.js'
import * as world from './world.js'

type KnownCaller = ConformanceCaller & Pick<oracle.Caller, 'userId' | 'role'>

/** The callers of the small world, with the properties that the checks need. */
export const conformanceCallers = (headersOf: (caller: (typeof world.callers)[number]) => Record<string, string>) =>
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
  assessments: { key: 'assessments', message: 'Assessments retrieved successfully.' },
  payments: { key: 'data', message: 'Payments retrieved successfully.' }
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
  const { key, message } = lists[list as oracle.DefaultList]
  const { total, items } = oracle.pageOf(asked, world, rules)
  return { status: 200, headers: {}, body: { status: 'success', message, page, limit, total, [key]: items } }
}
