import jwt, { type FastifyJWTOptions, type TokenOrHeader } from '@fastify/jwt'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import listing, { type ListingOptions } from 'fastify-assessment-payment-listing'
import { createRemoteJWKSet, errors, exportSPKI } from 'jose'

interface Provider {
  issuer: string
  jwksUri: string
  audience: string
  /** Better Auth signs with EdDSA, the others with RS256. */
  algorithms?: NonNullable<FastifyJWTOptions['verify']>['algorithms']
}

export async function addLists(
  app: FastifyInstance,
  { issuer, jwksUri, audience, algorithms = ['RS256'] }: Provider,
  options: ListingOptions
) {
  const keys = createRemoteJWKSet(new URL(jwksUri))
  const badToken = /NO_MATCHING_KEY|MULTIPLE_MATCHING_KEYS|NOT_SUPPORTED/
  await app.register(jwt, {
    decode: { complete: true },
    secret: async (_request: FastifyRequest, token: TokenOrHeader) => {
      try {
        return await exportSPKI(await keys('header' in token ? token.header : token))
      } catch (error) {
        // Either no key fits the token, or the provider does not answer.
        const isBadToken = error instanceof errors.JOSEError && badToken.test(error.code)
        throw Object.assign(error as Error, { statusCode: isBadToken ? 401 : 503 })
      }
    },
    verify: {
      algorithms,
      allowedIss: issuer,
      allowedAud: audience,
      // Without this line, a token that lacks a claim would pass.
      requiredClaims: ['iss', 'aud', 'exp']
    }
  })
  await app.register(listing, options)
}
