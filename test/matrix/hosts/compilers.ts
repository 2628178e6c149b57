/** Hosts with validators and serializers of their own. */
import responseValidation from '@fastify/response-validation'
import swagger from '@fastify/swagger'
import { jsonSchemaTransform, serializerCompiler, validatorCompiler } from 'fastify-type-provider-zod'
import { type Host, hostsThat } from '../host.js'

const fail = () => {
  throw new Error('host')
}

export const compilers: readonly Host[] = [
  ...hostsThat({
    async 'zod as validator and serializer, and an OpenAPI document of it'(app) {
      app.setValidatorCompiler(validatorCompiler).setSerializerCompiler(serializerCompiler)
      await app.register(swagger, { openapi: { openapi: '3.1.0' }, transform: jsonSchemaTransform })
    },
    // No compiler of the host is asked, so what another one would do makes no difference.
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
  {
    name: 'compilers for every schema',
    server: {
      schemaController: { compilersFactory: { buildValidator: () => () => fail, buildSerializer: () => () => fail } }
    }
  }
]
