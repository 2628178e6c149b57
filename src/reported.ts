/** Reads what was thrown, by whomever, and what of it may be told. */

/** What the operator's log line says beside the kind: names and codes, never values or SQL. */
export type Facts = Readonly<Record<string, string | number>>

/** What drivers and Fastify plugins tell of an error; undefined what is missing or of another kind. */
export interface Reported {
  code: string | undefined
  errno: number | undefined
  sqlState: string | undefined
  statusCode: number | undefined
  name: string | undefined
  message: string | undefined
  stack: string | undefined
  /** What it was caused by: `fetch` and fast-jwt wrap a socket's error, a connect to several addresses many. */
  causes: unknown[]
}

/** Reads what was thrown. It may be no Error at all, or one that throws when it is looked at. */
export function reportOf(error: unknown): Reported {
  const text = (value: unknown) => (typeof value === 'string' ? value : undefined)
  const number = (value: unknown) => (typeof value === 'number' ? value : undefined)
  let fields: Record<string, unknown> = {}
  try {
    const { code, errno, sqlState, statusCode, name, message, stack, cause, originalError, errors } = Object(error)
    fields = { code, errno, sqlState, statusCode, name, message, stack, cause, originalError, errors }
  } catch {
    // then there is nothing to tell
  }
  const { cause, originalError, errors } = fields
  return {
    code: text(fields.code),
    errno: number(fields.errno),
    sqlState: text(fields.sqlState),
    statusCode: number(fields.statusCode) ?? Number(text(fields.statusCode)),
    name: text(fields.name),
    message: text(fields.message),
    stack: text(fields.stack),
    causes: [cause, originalError, ...(Array.isArray(errors) ? errors : [])].filter(Boolean)
  }
}

/** The first one that holds of an error and its causes. */
export function findCause(reported: Reported, holds: (cause: Reported) => boolean, depth = 0): Reported | undefined {
  if (holds(reported)) return reported
  if (depth === 5) return undefined
  for (const cause of reported.causes) {
    const found = findCause(reportOf(cause), holds, depth + 1)
    if (found) return found
  }
  return undefined
}

export function factsOf({ code = '', errno, sqlState = '', message = '', stack = '' }: Reported): Facts {
  const facts: Record<string, string | number> = {}
  if (/^\w{1,64}$/.test(code)) facts.code = code
  if (errno !== undefined) facts.errno = errno
  if (/^\w{5}$/.test(sqlState)) facts.sqlState = sqlState
  // a stack begins with the message, whose own lines may look like places
  const places = stack.slice(stack.indexOf(message) + message.length).match(/^ {4}at .+:\d+:\d+\)?$/gm)
  if (places) facts.at = places.slice(0, 8).join('\n')
  return facts
}
