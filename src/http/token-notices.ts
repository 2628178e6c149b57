/** Tells the operator that @fastify/jwt may have another secret than the one that signs the tokens. */
import type { FastifyInstance } from 'fastify'
import { reportOf } from '../errors/error-details.js'

export interface TokenNotices {
  accepted(): void
  refused(error: unknown): void
}

const enough = 3

/** Warns once if the first tokens that come have another signature. One that is accepted proves the secret. */
export function tokenNoticer({ log }: Pick<FastifyInstance, 'log'>): TokenNotices {
  let unverified = 0
  return {
    accepted() {
      unverified = Number.POSITIVE_INFINITY
    },
    refused(error) {
      if (isUnverified(error) && ++unverified === enough) log.warn(text)
    }
  }
}

const text = `The first ${enough} tokens have another signature, and none was accepted yet: compare the 'secret' and 'verify.algorithms' of @fastify/jwt with what signs the tokens.`

/** The code of a wrong signature is also that of a wrong claim, so its message decides, which has no value of the token. */
const isUnverified = (error: unknown): boolean => {
  const { code, message } = reportOf(error)
  return code === 'FAST_JWT_INVALID_ALGORITHM' || /signature is invalid/.test(message)
}
