/** Hosts with validators and serializers of their own. */
import responseValidation from '@fastify/response-validation'
import swagger from '@fastify/swagger'
import { TypeBoxValidatorCompiler } from '@fastify/type-provider-typebox'
import { jsonSchemaTransform, serializerCompiler, validatorCompiler } from 'fastify-type-provider-zod'
import { type Host, hostsThat } from '../host.js'

const fail = () => {
  throw new Error('host')
}

const ajvs = {
  'coerces nothing': { coerceTypes: false },
  'coerces arrays': { coerceTypes: 'array' },
  'sets no defaults': { useDefaults: false },
  'removes nothing': { removeAdditional: false },
  'removes all': { removeAdditional: 'all' },
  'shows all errors': { allErrors: true, verbose: true },
  'is strict': { strict: true, strictRequired: true }
} as const

export const compilers: readonly Host[] = [
  ...hostsThat({
    async 'zod as validator and serializer, and an OpenAPI document of it'(app) {
      app.setValidatorCompiler(validatorCompiler).setSerializerCompiler(serializerCompiler)
      await app.register(swagger, { openapi: { openapi: '3.1.0' }, transform: jsonSchemaTransform })
    },
    'TypeBox as validator': (app) => app.setValidatorCompiler(TypeBoxValidatorCompiler),
    // that of Joi and the like
    'a validator that asks the schema itself': (app) =>
      app.setValidatorCompiler<{ validate(data: unknown): boolean }>(
        ({ schema }) =>
          (data) =>
            schema.validate(data)
      ),
    'a validator that throws': (app) => app.setValidatorCompiler(() => fail),
    'a serializer compiler that throws': (app) => app.setSerializerCompiler(fail),
    'a reply serializer': (app) => app.setReplySerializer(() => 'host'),
    'texts of its own for schema errors': (app) => app.setSchemaErrorFormatter(() => new Error('host')),
    'schemas with the names of ours'(app) {
      for (const $id of ['ListErrorBody', 'AssessmentPage', 'PaymentPage', 'AssessmentQuery', 'PaymentQuery']) {
        app.addSchema({ $id, type: 'string', maxLength: 1 })
      }
    },
    'a check of every answer against its schema': (app) => app.register(responseValidation)
  }),
  ...Object.entries(ajvs).map(
    ([does, customOptions]): Host => ({ name: `an Ajv that ${does}`, server: { ajv: { customOptions } } })
  ),
  {
    name: 'compilers for every schema',
    server: {
      schemaController: { compilersFactory: { buildValidator: () => () => fail, buildSerializer: () => () => fail } }
    }
  }
]
