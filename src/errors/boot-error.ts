/** The errors that stop the boot, with codes like those of Fastify's own errors. */

export type BootErrorCode =
  | 'FST_LISTING_INVALID_OPTION'
  | 'FST_LISTING_NO_AUTHENTICATION'
  | 'FST_LISTING_DATABASE_MISFIT'

export const bootError = (code: BootErrorCode, message: string): Error => Object.assign(new Error(message), { code })

export const invalidOption = (message: string): TypeError =>
  Object.assign(new TypeError(message), { code: 'FST_LISTING_INVALID_OPTION' satisfies BootErrorCode })
