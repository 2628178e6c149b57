import responseValidation from '@fastify/response-validation'
import swagger from '@fastify/swagger'
import { Validator } from '@seriousme/openapi-schema-validator'
import type { TObject } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import Fastify, { type FastifyInstance } from 'fastify'
import t, { type Test } from 'tap'
import listing, {
  AssessmentItem,
  AssessmentPage,
  AssessmentQuery,
  ListErrorBody,
  listingOptions,
  PaymentItem,
  PaymentPage,
  PaymentQuery,
  payments
} from '../../src/index.js'
import { openDatabase } from '../support/databases.js'
import { morePayments } from '../support/host-lists.js'
import { resolveRole, serve } from '../support/server.js'
import { openWorld } from '../support/tables.js'
import { admin } from '../support/world.js'

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
  responses: Record<string, { description?: string; content?: { 'application/json': Content } }>
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

async function isValid(t: Test, document: Document): Promise<void> {
  const validator = new Validator()
  const { valid, errors } = await validator.validate({ ...document })
  t.ok(valid, `valid, or else: ${JSON.stringify(errors)}`)
  t.equal(validator.version, '3.1')
}

const validating = new Map<TObject, FastifyInstance>()

/** Validates a body against an exported schema, with TypeBox and with the default validator of Fastify. */
const readers = {
  TypeBox: async (schema: TObject, body: unknown) => Value.Check(schema, body),
  Fastify: async (schema: TObject, body: unknown) => {
    const ajv = { customOptions: { coerceTypes: false, removeAdditional: false, useDefaults: false } } as const
    const app = validating.get(schema) ?? Fastify({ ajv }).post('/', { schema: { body: schema } }, () => 'fits')
    validating.set(schema, app as FastifyInstance)
    const headers = { 'content-type': 'application/json' }
    const { statusCode } = await app.inject({ method: 'POST', url: '/', headers, payload: JSON.stringify(body) })
    return statusCode === 200
  }
}

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
  const db = await openWorld(t, 'sqlite')
  const { app } = await serve(t, { db }, { before: describing })
  const document = documentOf(app)

  t.test('is valid OpenAPI 3.1', async (t) => {
    await isValid(t, document)
  })

  t.test('has the two lists and no HEAD route', async (t) => {
    t.strictSame(
      Object.entries(document.paths).map(([path, operations]) => [path, ...Object.keys(operations)]),
      lists.map(({ path }) => [path, 'get'])
    )
  })

  t.test('names its schemas', async (t) => {
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
      t.strictSame(
        Object.fromEntries(operation.parameters.map(({ name, required }) => [name, required ?? false])),
        parameters
      )
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

    t.test(`${path} has one valid example of each answer`, async (t) => {
      const example = (status: string) => operation.responses[status]?.content?.['application/json'].example
      for (const status of Object.keys(operation.responses)) {
        t.ok(await readers.Fastify(status === '200' ? page : ListErrorBody, example(status)), status)
        t.equal(example(status)?.status, status === '200' ? 'success' : Number(status))
      }
      const { get } = await serve(t, { db, visibility: { assessments: { none: 'none' }, payments: { none: 'none' } } })
      t.strictSame(example('400'), (await get(`${path}?limit=101&search=`, admin)).body, 'word for word')
      t.strictSame(example('403'), (await get(`${path}?search=`, { userId: 1, role: 'none' })).body, 'word for word')
    })

    t.test(`${path} describes each field of its records, with an example`, async (t) => {
      const { schemas } = document.components
      t.strictSame(Object.keys(schemas[`${name}Page`]?.properties ?? {}), Object.keys(page.properties))
      t.strictSame(schemas[`${name}Page`]?.properties?.[key]?.items, { $ref: reference(`${name}Item`) })
      const fields = Object.entries(schemas[`${name}Item`]?.properties ?? {})
      t.strictSame(
        fields.map(([name]) => name),
        Object.keys(item.properties)
      )
      for (const [name, { examples }] of fields) t.equal(examples?.length, 1, name)
    })
  }
})

t.test('the document and the validation have the default and the maximum limit of the options', async (t) => {
  const db = await openWorld(t, 'sqlite')
  for (const options of [undefined, { defaultLimit: 5, maxLimit: 20 }]) {
    const { defaultLimit, maxLimit } = options ?? { defaultLimit: 12, maxLimit: 100 }
    const { app, get } = await serve(t, { db, ...options }, { before: describing })
    for (const { path } of lists) {
      const parameters = documentOf(app).paths[path]?.get?.parameters
      const limit = parameters?.find(({ name }) => name === 'limit')?.schema
      t.match(limit, { default: defaultLimit, maximum: maxLimit }, path)
      t.match((await get(`${path}?search=`, admin)).body, { limit: defaultLimit })
      t.equal((await get(`${path}?search=&limit=${maxLimit}`, admin)).status, 200)
      t.equal((await get(`${path}?search=&limit=${maxLimit + 1}`, admin)).status, 400)
    }
  }
})

t.test('operation ids are unique: each later registration adds its prefix, and a number if need be', async (t) => {
  const db = await openDatabase(t, 'sqlite')
  for (const suffixes of [
    { '/v1': '', '/v2': 'V2' },
    { '/v1': '', '': '2' },
    { '': '', '/a-b': 'AB', '/a/b': 'AB2', '/a_b': 'AB3' }
  ]) {
    const prefixes = Object.keys(suffixes)
    const options = { db, resolveRole, checkOnReady: 'off' } as const
    const before = async (app: FastifyInstance) => {
      await describing(app)
      for (const prefix of prefixes.slice(0, -1)) app.register(listing, { ...options, prefix })
    }
    const { app } = await serve(t, { ...options, prefix: prefixes.at(-1) ?? '' }, { before })
    const document = documentOf(app)
    await isValid(t, document)
    t.strictSame(
      prefixes.map((prefix) => lists.map(({ path }) => document.paths[prefix + path]?.get?.operationId)),
      Object.values(suffixes).map((suffix) => lists.map(({ operationId }) => operationId + suffix))
    )
  }
})

t.test('a list and its extended copy have schemas of their own', async (t) => {
  const db = await openWorld(t, 'sqlite')
  const { app } = await serve(t, listingOptions({ db, resolveRole, lists: [payments] }), {
    before: async (app) => {
      await describing(app)
      app.register(listing, { ...listingOptions({ db, resolveRole, lists: [morePayments] }), prefix: '/v2' })
    }
  })
  const { components } = documentOf(app)
  t.match(Object.keys(components.schemas).toSorted(), [
    'ListErrorBody',
    'Payment2Item',
    'Payment2Page',
    'PaymentItem',
    'PaymentPage'
  ])
  t.equal(Object.values(components.schemas).filter(({ properties }) => properties?.method).length, 1)
})

t.test('the schemas of two registrations and of the host may have the same names', async (t) => {
  const db = await openWorld(t, 'sqlite')
  const before = async (app: FastifyInstance) => {
    await describing(app)
    for (const $id of names) app.addSchema({ $id, type: 'string' })
    await app.register(responseValidation)
    await app.register(listing, { prefix: '/v1', db, resolveRole })
  }
  const { app, get } = await serve(t, { prefix: '/v2', db }, { before })
  await isValid(t, documentOf(app))
  for (const prefix of ['/v1', '/v2']) {
    t.equal((await get(`${prefix}/assessment/list?search=`, admin)).status, 200)
    t.equal((await get(`${prefix}/payment/list`)).status, 401)
  }
})

t.test('the document is valid if @fastify/swagger chooses the schema names', async (t) => {
  const db = await openDatabase(t, 'sqlite')
  const before = (app: FastifyInstance) => app.register(swagger, { openapi: { openapi: '3.1.0' } })
  const { app } = await serve(t, { db, checkOnReady: 'off' }, { before })
  const document = documentOf(app)
  await isValid(t, document)
  const titles = Object.values(document.components.schemas).map((schema) => (schema as { title?: string }).title)
  t.strictSame(titles.toSorted(), names)
})

const without = (record: Record<string, unknown>, name: string) =>
  Object.fromEntries(Object.entries(record).filter(([key]) => key !== name))

t.test('the exported schemas', async (t) => {
  const db = await openWorld(t, 'sqlite')
  const { get } = await serve(t, {
    db,
    resolveRole: (request) => (request.user.role === 'nobody' ? null : resolveRole(request))
  })

  for (const { path, query, key, item, page, nullable } of lists) {
    const { body } = await get(`${path}?${query}`, admin)
    const [record = {}] = body[key] ?? []

    for (const [name, fits] of Object.entries(readers)) {
      t.test(`of ${path} accept a real answer (${name})`, async (t) => {
        t.ok(await fits(page, body))
        t.ok(await fits(page, { ...body, [key]: [] }), 'an empty page')
        t.ok(await fits(item, record))
        t.equal(body[key]?.length, body.total, 'with all records')
      })

      t.test(`of ${path} reject a record with an additional, a missing or a wrong field (${name})`, async (t) => {
        t.notOk(await fits(page, { ...body, [key]: [{ ...record, extra: 1 }] }))
        for (const field of Object.keys(item.properties)) {
          t.notOk(await fits(item, without(record, field)), `without ${field}`)
          t.notOk(await fits(item, { ...record, [field]: {} }), `${field} is an object`)
          const mayBeNull = nullable.some((name) => name === field)
          t.equal(await fits(item, { ...record, [field]: null }), mayBeNull, `${field} is null`)
        }
      })
    }
  }

  for (const [name, fits] of Object.entries(readers)) {
    t.test(`of the errors accept every error, and nothing else (${name})`, async (t) => {
      for (const [url, caller, status] of [
        ['/payment/list?page=0', admin, 400],
        ['/payment/list', undefined, 401],
        ['/payment/list', { userId: 1, role: 'nobody' }, 401],
        ['/assessment/list', { userId: 30, role: 'ordinary user' }, 403],
        ['/assessment/list', { userId: '', role: 'Admin' }, 500]
      ] as const) {
        const answer = await get(url, caller)
        t.equal(answer.status, status)
        t.ok(await fits(ListErrorBody, answer.body), answer.text)
      }
      t.notOk(await fits(ListErrorBody, { status: 401 }))
      t.notOk(await fits(ListErrorBody, { error: 'No.' }))
      t.notOk(await fits(ListErrorBody, { status: '401', error: 'No.' }))
      t.notOk(await fits(ListErrorBody, { status: 401, error: 'No.', stack: '' }))
    })
  }

  t.test('of the queries accept the parameters that the lists accept', async (t) => {
    for (const [schema, query, fit] of [
      [AssessmentQuery, { search: '' }, true],
      [AssessmentQuery, { search: 'an', status: 'pending', page: 2, limit: 100 }, true],
      [AssessmentQuery, {}, false],
      [AssessmentQuery, { search: '', status: 'open' }, false],
      [AssessmentQuery, { search: '', staus: 'pending' }, false],
      [PaymentQuery, {}, true],
      [PaymentQuery, { search: 'pi', processor_status: 'any', page: 2, limit: 100 }, true],
      [PaymentQuery, { limit: 101 }, false],
      [PaymentQuery, { page: 0 }, false],
      [PaymentQuery, { page: 1.5 }, false],
      [PaymentQuery, { search: 'x'.repeat(257) }, false]
    ] as const) {
      t.equal(await readers.Fastify(schema, query), fit, JSON.stringify(query).slice(0, 80))
    }
  })
})

t.test('a document needs no security scheme, and can have any', async (t) => {
  const db = await openWorld(t, 'sqlite')
  const components = { securitySchemes: { session: { type: 'apiKey', in: 'cookie', name: 'session' } } } as const
  const security = [{ session: [] }]
  for (const options of [
    { openapi: { openapi: '3.1.0' } },
    { openapi: {} },
    {},
    { openapi: { openapi: '3.1.0', components, security } }
  ]) {
    const before = (app: FastifyInstance) => app.register(swagger, options)
    const { app, lines } = await serve(t, { db }, { before, log: 'warn' })
    t.match(app.swagger(), { paths: { '/payment/list': { get: { operationId: 'listPayments' } } } })
    t.match(app.swagger(), options.openapi?.security ? { security } : {})
    t.strictSame(lines, [])
  }
})
