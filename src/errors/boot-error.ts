/** The errors that stop the boot, with codes like those of Fastify's own errors. */

export class InvalidOption extends TypeError {
  readonly code = 'FST_LISTING_INVALID_OPTION'
}

export class NoAuthentication extends Error {
  readonly code = 'FST_LISTING_NO_AUTHENTICATION'
}

export class DatabaseMisfit extends Error {
  readonly code = 'FST_LISTING_DATABASE_MISFIT'
}
