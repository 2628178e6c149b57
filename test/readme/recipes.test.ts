/** The README's recipes, each saved and called as it says, and asked for what it promises. */
import { resolve } from 'node:path'
import jwt from '@fastify/jwt'
import { InMemorySpanExporter, NodeTracerProvider, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-node'
import Fastify, { type FastifyInstance } from 'fastify'
import { exportJWK, generateKeyPair, SignJWT } from 'jose'
import t, { type Test } from 'tap'
import { defaultMessages } from '../../src/lists/messages.js'
import { type Db, openDatabase } from '../support/databases.js'
import { listen } from '../support/listening.js'
import { section, write } from '../support/readme.js'
import { ask, resolveRole, secret } from '../support/server.js'
import { openWorld } from '../support/tables.js'
import { admin } from '../support/world.js'

const recipes = section('Recipes').split(/^### /m).slice(1)
const titles = recipes.map((text) => text.slice(0, text.indexOf('\n')))

interface Kitchen {
  db: Db
  /** A server with the lists as the recipe adds them, and before that what the host has. */
  serve(options?: object, before?: (app: FastifyInstance) => unknown): Promise<FastifyInstance>
}

const tests: Record<string, (t: Test, kitchen: Kitchen) => Promise<unknown>> = {
  async 'Tokens of an identity provider'(t, { serve }) {
    const { privateKey, publicKey } = await generateKeyPair('RS256')
    const other = await generateKeyPair('RS256')
    const provider = Fastify()
    t.teardown(() => provider.close())
    let asked = 0
    const key = { ...(await exportJWK(publicKey)), kid: 'one', alg: 'RS256', use: 'sig' }
    provider.get('/realm/keys', () => {
      asked++
      return { keys: [key] }
    })
    const issuer = `${(await listen(provider)).address}/realm`
    const jwksUri = `${issuer}/keys`
    const audience = 'lists'
    const app = await serve({ issuer, jwksUri, audience })

    const get = async (token: string) => {
      const { status, body } = await ask(app, '/payment/list', { headers: { authorization: `Bearer ${token}` } })
      return body.total ?? status
    }
    const token = (header: object = {}, payload: object = {}, signer = privateKey) =>
      new SignJWT({ sub: '20', role: 'Admin', iss: issuer, aud: audience, ...payload })
        .setProtectedHeader({ alg: 'RS256', kid: 'one', ...header })
        .setExpirationTime('1 minute')
        .sign(signer)
    t.equal(await get(await token()), 31)
    const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
    for (const [what, wrong] of Object.entries({
      'another key': await token({}, {}, other.privateKey),
      'a key that the provider has not': await token({ kid: 'two' }),
      'another issuer': await token({}, { iss: 'https://other.example/' }),
      'another audience': await token({}, { aud: 'mail' }),
      'no signature': `${encode({ alg: 'none', kid: 'one' })}.${encode({ sub: '20', role: 'Admin', iss: issuer })}.`,
      'a secret': app.jwt.sign({ sub: '20', role: 'Admin' }, { key: 'one', algorithm: 'HS256' }),
      nothing: ''
    })) {
      t.equal(await get(wrong), 401, what)
    }
    t.equal(await get(await token()), 31)
    t.equal(asked, 1, 'the provider is asked once')

    await provider.close()
    const later = await serve({ issuer, jwksUri, audience })
    const away = await ask(later, '/payment/list', { headers: { authorization: `Bearer ${await token()}` } })
    t.match(away, { status: 503, headers: { 'retry-after': /./ }, body: { error: 'Service temporarily unavailable.' } })
  },

  async 'Sessions instead of tokens'(t, { serve }) {
    const members = new Map([['al', { id: 20, role: 'Admin' }]])
    const findMember = async (id: string) => members.get(id)
    const app = await serve({ secret, findMember }, (app) => {
      app.get('/login/:id', (request, reply) => {
        const { id } = request.params as { id: string }
        Object.assign(request.session, { memberId: id })
        reply.send('welcome')
      })
    })
    const https = { 'x-forwarded-proto': 'https' }
    const cookieOf = async (id: string) => {
      const { cookies } = await app.inject({ url: `/login/${id}`, headers: https })
      t.match(cookies, [{ httpOnly: true, secure: true, sameSite: 'Lax' }])
      return { ...https, cookie: `${cookies[0]?.name}=${cookies[0]?.value}` }
    }
    const stranger = await ask(app, '/payment/list', { headers: https })
    t.match(stranger, { status: 401, body: { error: 'Invalid or expired token.' } })
    t.notOk(stranger.headers['set-cookie'], 'a stranger gets no session')
    const headers = await cookieOf('al')
    t.match(await ask(app, '/payment/list', { headers }), { status: 200, body: { total: 31 } })
    t.match(await ask(app, '/payment/list', { headers: await cookieOf('somebody') }), { status: 401 })
    members.clear()
    t.match(await ask(app, '/payment/list', { headers }), { status: 401 }, 'who is no member any longer')
  },

  async 'Rate limits'(t, { serve }) {
    const app = await serve({ prefix: '/api' }, (app) => {
      app.register(jwt, { secret })
      app.get('/', () => 'no limit')
    })
    for (let count = 0; count < 99; count++) await app.inject('/api/payment/list')
    t.match(await ask(app, '/api/payment/list', admin), { status: 200 })
    t.match(await ask(app, '/api/payment/list', admin), {
      status: 429,
      body: { status: 429, error: 'Too Many Requests.' },
      headers: { 'retry-after': /^\d+$/ }
    })
    t.equal((await app.inject('/')).statusCode, 200)
  },

  async 'Read replicas'(t, { db, serve }) {
    const other = await openWorld(t, 'sqlite')
    await other.deleteFrom('payments').where('payment_id', '>', 5).execute()
    const withTokens = (app: FastifyInstance) => app.register(jwt, { secret })
    const app = await serve({ replicas: [db, other] }, withTokens)
    const totals: unknown[] = []
    for (let count = 0; count < 4; count++) totals.push((await ask(app, '/payment/list', admin)).body.total)
    t.strictSame(totals, [31, 5, 31, 5])
    await t.rejects(serve({ replicas: [db, await openDatabase(t, 'sqlite')] }, withTokens), /assessments/)
  },

  async 'A second prefix with another database'(t, { serve }) {
    const archive = await openWorld(t, 'sqlite')
    await archive.deleteFrom('payments').where('payment_id', '>', 5).execute()
    const app = await serve({ archive }, (app) => app.register(jwt, { secret }))
    t.match((await ask(app, '/api/payment/list', admin)).body, { total: 31 })
    t.match((await ask(app, '/archive/payment/list', admin)).body, { total: 5 })
  },

  async 'Another language'(t, { serve }) {
    const app = await serve({}, (app) => app.register(jwt, { secret }))
    const { body } = await ask(app, '/assessment/list?search=', admin)
    t.equal(body.message, 'Die Bewertungen wurden gefunden.')
    for (const [url, status, error] of [
      [
        '/payment/list?page=0',
        400,
        'Der Parameter „page“ muss eine ganze Zahl von 1 bis 90071992547409 sein, nur aus Ziffern.'
      ],
      ['/assessment/list', 400, 'Der Parameter „search“ fehlt; er darf leer sein.'],
      ['/payment/list?x=1', 400, 'A query parameter is not known; allowed are: search, processor_status, page, limit.']
    ] as const) {
      t.match(await ask(app, url, admin), { status, body: { status, error } })
    }
    t.match(await ask(app, '/payment/list'), { body: { error: 'Das Token ist ungültig oder abgelaufen.' } })
    const code = String(recipes[titles.indexOf('Another language')])
    const own = [...code.matchAll(/^ {2}(\w+): '(.*)',?$/gm)]
    t.equal(own.length, 4)
    for (const [, name = '', text = ''] of own) {
      const placeholders = (message: string) => message.match(/\{\w+\}/g)?.toSorted()
      t.strictSame(placeholders(text), placeholders(defaultMessages[name as keyof typeof defaultMessages]), name)
    }
  },

  async Traces(t, { serve }) {
    const exporter = new InMemorySpanExporter()
    const provider = new NodeTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] })
    provider.register()
    t.teardown(() => provider.shutdown())
    const app = await serve({}, (app) => app.register(jwt, { secret }))
    const { status } = await ask(app, '/assessment/list?search=jane.doe', admin)
    t.equal(status, 200)
    const spans = exporter.getFinishedSpans()
    t.match(spans.find(({ name }) => name === 'request')?.attributes, {
      'url.path': /^\/assessment\/list$/,
      'http.route': '/assessment/list',
      'http.response.status_code': 200
    })
    t.notMatch(JSON.stringify(spans.map(({ attributes, events }) => ({ attributes, events }))), /jane|Bearer/)
  }
}

for (const [index, title] of titles.entries()) {
  t.test(title, async (t) => {
    const db = await openWorld(t, 'sqlite')
    const [, code = ''] = /^```js\n([\s\S]*?)^```$/m.exec(String(recipes[index])) ?? []
    const { addLists } = await import(resolve(write(t, 'recipe.mjs', code)))
    const serve: Kitchen['serve'] = async (options, before) => {
      const app = Fastify({ trustProxy: true })
      t.teardown(() => app.close())
      await before?.(app)
      await addLists(app, { db, resolveRole, ...options })
      await app.ready()
      return app
    }
    await tests[title]?.(t, { db, serve })
  })
}

t.test('every recipe is tested', async (t) => t.strictSame(titles, Object.keys(tests)))
