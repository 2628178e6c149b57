import swagger from '@fastify/swagger'
import { Validator } from '@seriousme/openapi-schema-validator'
import type { TObject } from '@sinclair/typebox'
import Fastify, { type FastifyInstance } from 'fastify'
import t, { type Test } from 'tap'
import listing, {
  AssessmentItem,
  AssessmentPage,
  AssessmentQuery,
  defineOptions,
  ListErrorBody,
  PaymentItem,
  PaymentPage,
  PaymentQuery,
  payments
} from '../../src/index.js'
import { admin } from '../support/fixtures/world.js'
import { resolveRole, serve } from '../support/hosts/server.js'
import { openWorld } from '../support/servers/tables.js'

/** The parts of an OpenAPI document that the tests read. */
interface Document {
  paths: Record<string, Record<string, Operation>>
  components: { schemas: Record<string, Shape> }
}
interface Operation {
  operationId?: string
  tags?: string[]
  summary?: string
  description?: string
  security?: object[]
  parameters: { name: string; in: string; required?: boolean; description?: string; schema: Shape }[]
  responses: Record<
    string,
    { description?: string; headers?: Record<string, { schema: object }>; content?: { 'application/json': Content } }
  >
}
interface Content {
  schema: { allOf?: { $ref: string }[] }
  example?: Record<string, unknown>
}
interface Shape {
  default?: unknown
  maximum?: number
  examples?: unknown[]
  properties?: Record<string, Shape>
  items?: { $ref: string }
}

/** A host with an OpenAPI 3.1 document in which schemas keep their names. */
const describing = (app: FastifyInstance) =>
  app.register(swagger, {
    openapi: { openapi: '3.1.0', info: { title: 'Host', version: '1.0.0' } },
    refResolver: { buildLocalReference: ({ $id }, _base, _fragment, index) => String($id ?? `def-${index}`) }
  })

const reference = (name: string) => `#/components/schemas/${name}`
const names = ['AssessmentItem', 'AssessmentPage', 'ListErrorBody', 'PaymentItem', 'PaymentPage']

/** The document as a client parses it. */
const documentOf = (app: FastifyInstance): Document => JSON.parse(JSON.stringify(app.swagger()))

const validator = new Validator()

async function isValid(t: Test, document: Document): Promise<void> {
  const { valid, errors } = await validator.validate({ ...document })
  t.ok(valid, `valid, or else: ${JSON.stringify(errors)}`)
  t.equal(validator.version, '3.1')
}

const validating = new Map<TObject, FastifyInstance>()

/** Validates a body against an exported schema with the default validator of Fastify. */
async function accepts(schema: TObject, body: unknown): Promise<boolean> {
  const ajv = { customOptions: { coerceTypes: false, removeAdditional: false, useDefaults: false } } as const
  const app = validating.get(schema) ?? Fastify({ ajv }).post('/', { schema: { body: schema } }, () => 'fits')
  validating.set(schema, app as FastifyInstance)
  const headers = { 'content-type': 'application/json' }
  const { statusCode } = await app.inject({ method: 'POST', url: '/', headers, payload: JSON.stringify(body) })
  return statusCode === 200
}

const db = await openWorld(t, 'sqlite')

const lists = [
  {
    path: '/assessment/list',
    operationId: 'listAssessments',
    key: 'assessments',
    name: 'Assessment',
    item: AssessmentItem,
    page: AssessmentPage,
    parameters: { search: true, status: false, page: false, limit: false },
    query: 'search=&limit=100',
    nullable: ['avatarUrl', 'date_conclusion']
  },
  {
    path: '/payment/list',
    operationId: 'listPayments',
    key: 'data',
    name: 'Payment',
    item: PaymentItem,
    page: PaymentPage,
    parameters: { search: false, processor_status: false, page: false, limit: false },
    query: 'limit=100',
    nullable: []
  }
] as const

t.test('the OpenAPI document of a host', async (t) => {
  const roles = { assessments: { none: 'none' }, payments: { none: 'none' } } as const
  const { app, get } = await serve(t, { db, roles }, { before: describing })
  const document = documentOf(app)

  t.test('is valid OpenAPI 3.1, with the two lists, no HEAD route and the names of the schemas', async (t) => {
    await isValid(t, document)
    t.strictSame(
      Object.entries(document.paths).map(([path, operations]) => [path, ...Object.keys(operations)]),
      lists.map(({ path }) => [path, 'get'])
    )
    t.strictSame(Object.keys(document.components.schemas).toSorted(), names)
  })

  for (const { path, operationId, parameters, key, name, item, page } of lists) {
    const operation = document.paths[path]?.get
    if (!operation) throw new Error(`There is no ${path}.`)

    t.test(`${path} has a summary, a description and no security`, async (t) => {
      t.equal(operation.operationId, operationId)
      t.equal(operation.tags?.length, 1)
      t.match(operation, { summary: /^[A-Z].{5,}/, description: /^[A-Z].{5,}/ })
      t.equal(operation.security, undefined, 'the server decides how it authenticates')
    })

    t.test(`${path} has exactly the parameters of the contract, each described (contract 8 to 20)`, async (t) => {
      const required = Object.fromEntries(operation.parameters.map(({ name, required }) => [name, required ?? false]))
      t.strictSame(required, parameters)
      for (const { name, in: place, description } of operation.parameters) {
        t.equal(place, 'query', name)
        t.match(description, /^[A-Z].{5,}\.$/, name)
      }
    })

    t.test(`${path} has every status of its answers, each with a description and a schema`, async (t) => {
      t.strictSame(Object.keys(operation.responses), ['200', '400', '401', '403', '500', '503', '504'])
      for (const [status, { description, content }] of Object.entries(operation.responses)) {
        t.match(description, /^[A-Z].{5,}\.$/, status)
        const $ref = reference(status === '200' ? `${name}Page` : 'ListErrorBody')
        t.strictSame(content?.['application/json'].schema.allOf, [{ $ref }], status)
      }
    })

    t.test(`${path} has the header that comes with a 401 and with a 503 (contract 106 and 107)`, async (t) => {
      const headers = Object.entries(operation.responses).flatMap(([status, { headers }]) =>
        Object.entries(headers ?? {}).map(([name, { schema }]) => [status, name, schema])
      )
      t.match(headers, [
        ['401', 'WWW-Authenticate', { type: 'string', enum: ['Bearer'] }],
        ['503', 'Retry-After', { type: 'integer', minimum: 0 }]
      ])
      t.equal(headers.length, 2)
      t.match((await get(`${path}?search=`)).headers, { 'www-authenticate': 'Bearer' })
    })

    t.test(`${path} has one valid example of each answer`, async (t) => {
      const example = (status: string) => operation.responses[status]?.content?.['application/json'].example
      for (const status of Object.keys(operation.responses)) {
        t.ok(await accepts(status === '200' ? page : ListErrorBody, example(status)), status)
        t.equal(example(status)?.status, status === '200' ? 'success' : Number(status))
      }
      t.strictSame(example('400'), (await get(`${path}?limit=101&search=`, admin)).body, 'word for word')
      t.strictSame(example('403'), (await get(`${path}?search=`, { userId: 1, role: 'none' })).body, 'word for word')
    })

    t.test(`${path} describes each field of its records, with an example`, async (t) => {
      const { schemas } = document.components
      t.strictSame(Object.keys(schemas[`${name}Page`]?.properties ?? {}), Object.keys(page.properties))
      t.strictSame(schemas[`${name}Page`]?.properties?.[key]?.items, { $ref: reference(`${name}Item`) })
      const fields = Object.entries(schemas[`${name}Item`]?.properties ?? {})
      const names = fields.map(([name]) => name)
      t.strictSame(names, Object.keys(item.properties))
      for (const [name, { examples }] of fields) t.equal(examples?.length, 1, name)
    })
  }
})

t.test('the document and the validation have the default and the maximum limit of the options', async (t) => {
  const { app, get } = await serve(t, { db, defaultLimit: 5, maxLimit: 20 }, { before: describing })
  for (const { path } of lists) {
    const parameters = documentOf(app).paths[path]?.get?.parameters
    const limit = parameters?.find(({ name }) => name === 'limit')?.schema
    t.match(limit, { default: 5, maximum: 20 }, path)
    t.match((await get(`${path}?search=`, admin)).body, { limit: 5 })
    t.equal((await get(`${path}?search=&limit=20`, admin)).status, 200)
    t.equal((await get(`${path}?search=&limit=21`, admin)).status, 400)
  }
})

t.test('operation ids are unique: each later registration adds its prefix, and a number if need be', async (t) => {
  const suffixes = { '/v1': '', '/a-b': 'AB', '/a/b': 'AB2', '/a_b': 'AB3', '': '2' }
  const prefixes = Object.keys(suffixes)
  const before = async (app: FastifyInstance) => {
    await describing(app)
    for (const prefix of prefixes.slice(0, -1)) app.register(listing, { db, resolveRole, checkOnReady: 'off', prefix })
  }
  const { app } = await serve(t, { db, prefix: prefixes.at(-1) ?? '' }, { before })
  const document = documentOf(app)
  await isValid(t, document)
  t.strictSame(
    prefixes.map((prefix) => lists.map(({ path }) => document.paths[prefix + path]?.get?.operationId)),
    Object.values(suffixes).map((suffix) => lists.map(({ operationId }) => operationId + suffix))
  )
})

t.test('a list and its extended copy stand side by side, with schemas of their own', async (t) => {
  const extended = payments.extend({
    ...{ path: '/v2/payment/list', key: 'payments', openapi: { operationId: 'listPaymentsV2' } },
    fields: { method: { column: 'payment_method', examples: ['card'] } },
    filters: { payment_method: { examples: ['card'] } }
  })
  const { app, get } = await serve(t, defineOptions({ db, resolveRole, lists: [payments] }), {
    before: async (app) => {
      await describing(app)
      app.register(listing, defineOptions({ db, resolveRole, lists: [extended], checkOnReady: 'off' }))
    }
  })
  const { components } = documentOf(app)
  t.match(Object.keys(components.schemas).toSorted(), [
    ...['ListErrorBody', 'Payment2Item', 'Payment2Page', 'PaymentItem', 'PaymentPage']
  ])
  t.equal(Object.values(components.schemas).filter(({ properties }) => properties?.method).length, 1)
  t.equal((await get('/payment/list?payment_method=cash', admin)).status, 400)
  const { body } = await get('/v2/payment/list?payment_method=cash', admin)
  t.match(body, { total: 1, payments: [{ payment_id: '99', method: 'cash' }] })
})

t.test('the document is valid if @fastify/swagger chooses the schema names', async (t) => {
  const before = (app: FastifyInstance) => app.register(swagger, { openapi: { openapi: '3.1.0' } })
  const { app } = await serve(t, { db }, { before })
  const document = documentOf(app)
  await isValid(t, document)
  const titles = Object.values(document.components.schemas).map((schema) => (schema as { title?: string }).title)
  t.strictSame(titles.toSorted(), names)
})

t.test('the exported schemas accept the answers and the parameters of the lists, and nothing else', async (t) => {
  const { get } = await serve(t, { db })
  for (const { path, query, key, item, page, nullable } of lists) {
    const { body } = await get(`${path}?${query}`, admin)
    const [record = {}] = body[key] ?? []
    t.ok(await accepts(page, body), path)
    t.ok(await accepts(page, { ...body, [key]: [] }), 'an empty page')
    t.notOk(await accepts(page, { ...body, [key]: [{ ...record, extra: 1 }] }))
    for (const field of Object.keys(item.properties)) {
      const mayBeNull = nullable.some((name) => name === field)
      t.equal(await accepts(item, { ...record, [field]: null }), mayBeNull, `${field} is null`)
    }
  }
  for (const [schema, query, fit] of [
    [AssessmentQuery, { search: 'an', status: 'pending', page: 2, limit: 100 }, true],
    [AssessmentQuery, {}, false],
    [AssessmentQuery, { search: '', status: 'open' }, false],
    [PaymentQuery, {}, true],
    [PaymentQuery, { search: 'pi', processor_status: 'any', page: 2, limit: 100 }, true],
    [PaymentQuery, { page: 1.5 }, false],
    [PaymentQuery, { page: 0 }, false],
    [PaymentQuery, { limit: 0 }, false],
    [PaymentQuery, { limit: 101 }, false],
    [PaymentQuery, { staus: 'pending' }, false]
  ] as const) {
    t.equal(await accepts(schema, query), fit, JSON.stringify(query))
  }
})

t.test('a document needs no security scheme, and can have any', async (t) => {
  const components = { securitySchemes: { session: { type: 'apiKey', in: 'cookie', name: 'session' } } } as const
  const security = [{ session: [] }]
  for (const options of [{}, { openapi: { openapi: '3.1.0', components, security } }]) {
    const before = (app: FastifyInstance) => app.register(swagger, options)
    const { app, lines } = await serve(t, { db }, { before, log: 'warn' })
    t.match(app.swagger(), { paths: { '/payment/list': { get: { operationId: 'listPayments' } } } })
    t.match(app.swagger(), 'openapi' in options ? { security } : {})
    t.strictSame(lines, [])
  }
})
