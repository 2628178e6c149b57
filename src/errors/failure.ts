/** The error of a request. The client and the log see this error instead of the thrown value. */

/** Details for the log: names and codes, never values or SQL. */
export type Facts = Readonly<Record<string, string | number>>

/** HTTP statuses (contract 92 to 98). Nobody receives a 499: the client has left, or the signal of a call aborted. */
export const statuses = {
  parameter: 400,
  unauthorized: 401,
  forbidden: 403,
  notFound: 404,
  aborted: 499,
  internal: 500,
  unavailable: 503,
  timeout: 504
} as const

/** What went wrong. `host`: the server's own code threw an error with a status. */
export type FailureKind = keyof typeof statuses | 'host'

export class Failure extends Error {
  override readonly name = 'Failure'
  readonly statusCode: number
  /** The text for the client of a `parameter` failure, if `message` is not for the client. */
  clientMessage?: string
  override cause?: unknown

  /** @param message for the operator. Clients read it too if they sent a wrong parameter or aborted their own call. */
  constructor(
    readonly kind: FailureKind,
    message: string,
    readonly facts: Facts = {},
    statusCode?: number
  ) {
    super(message)
    this.statusCode = statusCode ?? (kind === 'host' ? 500 : statuses[kind])
  }
}
