/** Hosts with validators and serializers of their own. */
import responseValidation from '@fastify/response-validation'
import swagger from '@fastify/swagger'
import { TypeBoxValidatorCompiler } from '@fastify/type-provider-typebox'
import { jsonSchemaTransform, serializerCompiler, validatorCompiler } from 'fastify-type-provider-zod'
import type { Host } from '../host.js'

const fail = () => {
  throw new Error('host')
}

export const compilers: readonly Host[] = [
  {
    name: 'zod, and an OpenAPI document of it',
    before: async (app) => {
      app.setValidatorCompiler(validatorCompiler).setSerializerCompiler(serializerCompiler)
      await app.register(swagger, { openapi: { openapi: '3.1.0' }, transform: jsonSchemaTransform })
    }
  },
  { name: 'TypeBox as validator', before: (app) => app.setValidatorCompiler(TypeBoxValidatorCompiler) },
  {
    // that of Joi and the like
    name: 'a validator that asks the schema itself',
    before: (app) =>
      app.setValidatorCompiler<{ validate(data: unknown): boolean }>(
        ({ schema }) =>
          (data) =>
            schema.validate(data)
      )
  },
  { name: 'a validator that throws', before: (app) => app.setValidatorCompiler(() => fail) },
  ...(
    [
      ['coerces nothing', { coerceTypes: false }],
      ['coerces arrays', { coerceTypes: 'array' }],
      ['sets no defaults', { useDefaults: false }],
      ['removes nothing', { removeAdditional: false }],
      ['removes all', { removeAdditional: 'all' }],
      ['shows all errors', { allErrors: true, verbose: true }],
      ['is strict', { strict: true, strictRequired: true }]
    ] as const
  ).map(([does, customOptions]): Host => ({ name: `an Ajv that ${does}`, server: { ajv: { customOptions } } })),
  {
    name: 'compilers for every schema',
    server: {
      schemaController: {
        compilersFactory: { buildValidator: () => () => fail, buildSerializer: () => () => fail }
      }
    }
  },
  { name: 'a serializer compiler that throws', before: (app) => app.setSerializerCompiler(fail) },
  { name: 'a reply serializer', before: (app) => app.setReplySerializer(() => 'host') },
  { name: 'texts of its own for schema errors', before: (app) => app.setSchemaErrorFormatter(() => new Error('host')) },
  {
    name: 'schemas with the names of ours',
    before: (app) => {
      for (const $id of ['ListErrorBody', 'AssessmentPage', 'PaymentPage', 'AssessmentQuery', 'PaymentQuery']) {
        app.addSchema({ $id, type: 'string', maxLength: 1 })
      }
    }
  },
  { name: 'a check of every answer against its schema', before: (app) => app.register(responseValidation) }
]
