/** Reads a thrown value, and the details of it that are safe to log. */

/** The details of a log line beside the kind: names and codes, never values or SQL. */
export type Facts = Readonly<Record<string, string | number>>

/** The properties that drivers and Fastify plugins put on errors. Undefined where missing or of another type. */
export interface Reported {
  code: string | undefined
  errno: number | undefined
  sqlState: string | undefined
  statusCode: number | undefined
  name: string | undefined
  message: string | undefined
  stack: string | undefined
  /** The causes: `fetch` and fast-jwt wrap the error of a socket, and a connect to several addresses wraps many. */
  causes: unknown[]
}

/** Reads a thrown value, which can be no Error, or an Error whose properties throw. */
export function reportOf(error: unknown): Reported {
  const text = (value: unknown) => (typeof value === 'string' ? value : undefined)
  const number = (value: unknown) => (typeof value === 'number' ? value : undefined)
  let fields: Record<string, unknown> = {}
  try {
    const { code, errno, sqlState, statusCode, name, message, stack, cause, originalError, errors } = Object(error)
    fields = { code, errno, sqlState, statusCode, name, message, stack, cause, originalError, errors }
  } catch {
    // The value has no details.
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

/** The first of an error and its causes for which the condition holds. */
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
  // A stack begins with the message, and a line of the message can look like a place.
  const places = stack.slice(stack.indexOf(message) + message.length).match(/^ {4}at .+:\d+:\d+\)?$/gm)
  if (places) facts.at = places.slice(0, 8).join('\n')
  return facts
}
