import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import t from 'tap'
import { openDatabase } from './support/databases.js'
import { serve } from './support/server.js'
import { fill } from './support/world.js'

const admin = { userId: 20, role: 'Admin' }
const fail = async () => {
  throw Object.assign(new Error('late'), { statusCode: 418 })
}

/** Milliseconds: the deadline, when what it cut off comes to its end, and how long the answer is held back. */
const timeout = 100
const late = 150
const held = 150

/** Hooks of a host that take their time. */
const hooks: Record<string, (app: FastifyInstance) => unknown> = {
  onError: (app) => app.addHook('onError', () => sleep(held)),
  onSend: (app) => app.addHook('onSend', () => sleep(held)),
  'onSend with a callback': (app) =>
    app.addHook('onSend', (_request, _reply, payload, done) => void setTimeout(done, held, null, payload))
}

const works: Record<string, { find?: () => Promise<unknown>; resolveRole?: () => Promise<typeof admin> }> = {
  'a role': { resolveRole: () => sleep(late, admin) },
  'a role that is refused': { resolveRole: () => sleep(late).then(fail) },
  'a page': { find: () => sleep(late) },
  'a page that fails': { find: () => sleep(late).then(fail) }
}

for (const [hook, hold] of Object.entries(hooks)) {
  for (const [work, { find = async () => undefined, resolveRole = async () => admin }] of Object.entries(works)) {
    t.test(`${work} that comes while ${hook} holds back the answer of the deadline`, async (t) => {
      const lines: { msg: string; kind?: string }[] = []
      const stream = { write: (line: string) => void lines.push(JSON.parse(line)) }
      const db = await openDatabase(t, 'sqlite', { before: ({ sql }) => sql.includes('record creation') && find() })
      await fill(db)
      const options = { db, resolveRole, timeout, checkOnReady: 'off' as const }
      const before = (app: FastifyInstance) => {
        app.setErrorHandler((_error, _request, reply) => reply.code(418).send('The host answers.'))
        hold(app)
      }
      const { get } = await serve(t, options, { before, server: { logger: { level: 'debug', stream } } })
      const { status, body } = await get('/payment/list?search=', admin)
      t.strictSame({ status, body }, { status: 504, body: { status: 504, error: 'The request took too long.' } })
      await sleep(held)
      t.strictSame(
        lines.flatMap(({ kind }) => kind ?? []),
        ['timeout']
      )
      t.notMatch(lines.map(({ msg }) => msg).join(), /already sent|Found|late/)
    })
  }
}
