/** Every code block of the README is run as pasted, or at least compiled. */
import { EventEmitter } from 'node:events'
import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Value } from '@sinclair/typebox/value'
import Fastify, { type FastifyInstance } from 'fastify'
import { Kysely, MysqlDialect } from 'kysely'
import { createPool } from 'mysql2'
import t, { type Test } from 'tap'
import { PaymentPage } from '../../src/lists/payments.js'
import { execute } from '../support/check.js'
import { type Db, mysqlPool } from '../support/databases.js'
import { startExample } from '../support/example.mjs'
import { blocks, compiles, hasCommands, readme, run, transpiled, write } from '../support/readme.js'
import { createTables } from '../support/world.js'

interface Check {
  blocks: string[]
  says: string
  check(t: Test, code: string, further: string): unknown
}

const checks: Check[] = [
  { blocks: ['Try it, test it: sh'], says: 'has commands that exist', check: hasCommands },
  { blocks: ['Install: sh'], says: 'has commands that exist', check: hasCommands },
  {
    blocks: ['A complete example: js', 'A complete example: json'],
    says: 'runs as pasted and gives the answer that is shown',
    async check(t, code, answer) {
      const { ended, output } = run(t, [write(t, 'server.mjs', code)])
      const printed = async () => {
        for (let tries = 0; tries < 300; tries++) {
          const line = /^curl -H 'Authorization: (?<authorization>[^']+)' '(?<url>[^']+)'$/m.exec(output())
          if (line?.groups) return line.groups
          await sleep(50)
        }
        return undefined
      }
      const line = await Promise.race([printed(), ended])
      if (typeof line !== 'object' || line === null) return t.fail(`it printed no curl line: ${output()}`)
      const response = await fetch(String(line.url), { headers: { authorization: String(line.authorization) } })
      t.strictSame(await response.json(), JSON.parse(answer))
    }
  },
  {
    blocks: ['Options: js'],
    says: 'compiles as the option',
    check: (t, code) =>
      compiles(t, {
        'role.ts': `import '@fastify/jwt'
          import type { Kysely } from 'kysely'
          import type { ResolveRole } from 'fastify-assessment-payment-listing'
          declare module '@fastify/jwt' { interface FastifyJWT { user: { sub: string } } }
          declare const db: Kysely<{ members: { id: number, role: string } }>
          ${code.replace('resolveRole =', 'resolveRole: ResolveRole =')}`
      })
  },
  {
    blocks: ['Operation: js'],
    says: 'compiles in a server',
    check: (t, code) =>
      compiles(t, {
        'ready.ts': `import type { FastifyInstance } from 'fastify'
          import type { Kysely } from 'kysely'
          declare const app: FastifyInstance
          declare const db: Kysely<unknown>
          ${code}`
      })
  },
  {
    blocks: ['Operation: js 2'],
    says: 'gives up what a network has swallowed',
    // the proxy of test/reliability/faults.ts tries it
    check: (t, code) => {
      const limits: number[] = []
      const stream = Object.assign(new EventEmitter(), { setTimeout: (time: number) => limits.push(time) })
      const client = Object.assign(new EventEmitter(), { connection: { stream } })
      const pool = new EventEmitter()
      new Function('pool', 'log', code)(pool, () => undefined)
      pool.emit('connect', client)
      t.ok(pool.emit('error', new Error('idle')) && client.emit('error', new Error('at work')))
      t.strictSame(limits, [15_000])
    }
  },
  {
    blocks: ['Operation: js 3'],
    says: 'runs as pasted',
    async check(t, code) {
      const { ended, output } = run(t, [write(t, 'steps.mjs', code)])
      t.equal(await ended, 0, output())
    }
  },
  {
    blocks: ['Behind a Galera cluster: ts'],
    says: 'compiles beside the example',
    check: (t, code) =>
      compiles(t, {
        'nodes.ts': `import { openCluster } from '../../examples/cluster.js'
          interface DB { users: { user_id: number } }
          declare const [user, password, database]: [string, string, string]
          ${code}`
      })
  },
  {
    blocks: ['The lists: json'],
    says: 'is a page of payments',
    check: (t, answer) => t.ok(Value.Check(PaymentPage, JSON.parse(answer)))
  },
  { blocks: ['Tables: ts'], says: 'compiles', check: (t, code) => compiles(t, { 'tables.ts': code }) },
  {
    blocks: ['The start-up check: js', 'The start-up check: text'],
    says: 'runs as pasted and prints what is shown',
    async check(t, code, text) {
      const { host, port, user, password, database, ...pool } = await mysqlPool(t)
      const url = `mysql://${user}:${encodeURIComponent(String(password))}@${host}:${port}/${database}`
      const db: Db = new Kysely({ dialect: new MysqlDialect({ pool: createPool({ ...pool, uri: url }) }) })
      t.teardown(() => db.destroy())
      const path = write(t, 'check.mjs', code)
      await createTables(db)
      await execute(db, 'alter table users rename to members')
      const fitting = run(t, [path], { DATABASE_URL: url })
      t.equal(await fitting.ended, 0, fitting.output())
      t.equal(fitting.output(), '\n')

      await execute(
        db,
        'alter table members rename column email to mail',
        'alter table assessments modify date_conclusion bigint',
        'drop index assessments_created_at_assessment_id on assessments'
      )
      const broken = run(t, [path], { DATABASE_URL: url })
      t.equal(await broken.ended, 1)
      t.equal(`The database does not fit the lists.\n${broken.output()}`, text)
    }
  },
  {
    blocks: ['OpenAPI: js'],
    says: 'compiles, and describes a server whose schemas keep their names',
    async check(t, code) {
      compiles(t, { 'describe.js': code })
      const { describe } = await import(resolve(write(t, 'describe.mjs', code)))
      const app: FastifyInstance = Fastify()
      t.teardown(() => app.close())
      await describe(app)
      app.get('/', { schema: { response: { 200: { allOf: [{ $id: 'Named', type: 'null' }] } } } }, () => null)
      await app.ready()
      t.match((await app.inject('/docs')).body, /swagger-ui/)
      t.match(app.swagger(), { components: { schemas: { Named: {} }, securitySchemes: { bearerAuth: {} } } })
    }
  },
  {
    blocks: ['OpenAPI: sh', 'OpenAPI: ts'],
    says: 'makes a client that compiles, calls both lists of the demo, and refuses what they have not',
    async check(t, commands, code) {
      hasCommands(t, commands)
      const { address, stop } = await startExample({})
      t.teardown(() => stop())
      const callers = (await (await fetch(`${address}/demo/callers`)).json()) as { role: string; token: string }[]
      const [, command = ''] = /^npx (.*)$/m.exec(commands) ?? []
      const [program, ...parameters] = command.replace('http://127.0.0.1:3000', address).split(' ')
      const output = write(t, String(parameters.pop()), '')
      const generated = run(t, [join('node_modules/.bin', String(program)), ...parameters, output])
      t.equal(await generated.ended, 0, generated.output())
      const misuse = [
        "await client.GET('/assessment/lists')",
        "await client.GET('/assessment/list')",
        "await client.GET('/payment/list', { params: { query: { staus: 'paid' } } })",
        'payments.data.data[0]?.amounts'
      ].map((line) => `// @ts-expect-error\n${line}\n`)
      compiles(t, {
        'lists.ts': readFileSync(output, 'utf8'),
        'client.ts': code,
        'misuse.ts': [code, ...misuse].join('\n')
      })
      const TOKEN = String(callers.find(({ role }) => role === 'Admin')?.token)
      const client = run(t, [write(t, 'client.mjs', transpiled(code))], { API: address, TOKEN })
      t.equal(await client.ended, 0, client.output())
      t.match(client.output(), /^\S+.*\n[\s\S]*^3000 payments, the newest of \d{4}-\d\d-\d\d \d\d:\d\d:\d\d\n$/m)
      const refused = run(t, [write(t, 'client.mjs', transpiled(code))], { API: address, TOKEN: 'x' })
      t.equal(await refused.ended, 1)
      t.match(refused.output(), 'Invalid or expired token.')
    }
  }
]

for (const { blocks: names, says, check } of checks) {
  const [code = '', further = ''] = names.map((name) => blocks.get(name))
  t.test(`${names.join(' and ')}: ${says}`, async (t) => check(t, code, further))
}

/** Sections whose blocks have a test of their own beside this one. */
const elsewhere = /^(Checks for your own tests|Recipes): /

t.test('there is no other code block', (t) => {
  const rest = [...blocks.keys()].filter((name) => !elsewhere.test(name))
  t.strictSame(rest.toSorted(), checks.flatMap(({ blocks }) => blocks).toSorted())
  t.equal(readme.match(/^ *(```|~~~)/gm)?.length, blocks.size * 2)
  t.end()
})
