/** Reads the details of a thrown value. */

/** Details for the log: names and codes, never values or SQL. */
export type Facts = Readonly<Record<string, string | number>>

export interface Reported {
  code: string | undefined
  errno: number | undefined
  sqlState: string | undefined
  statusCode: number | undefined
  name: string | undefined
  message: string | undefined
  stack: string | undefined
  /** `fetch` and fast-jwt wrap a socket error. An `AggregateError` holds an error per address. */
  causes: unknown[]
}

export function reportOf(error: unknown): Reported {
  const text = (value: unknown) => (typeof value === 'string' ? value : undefined)
  const number = (value: unknown) => (typeof value === 'number' ? value : undefined)
  let fields: Record<string, unknown> = {}
  try {
    const { code, errno, sqlState, statusCode, name, message, stack, cause, originalError, errors } = Object(error)
    fields = { code, errno, sqlState, statusCode, name, message, stack, cause, originalError, errors }
  } catch {
    // A getter threw.
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

export function findCause(reported: Reported, holds: (cause: Reported) => boolean, depth = 0): Reported | undefined {
  if (holds(reported)) return reported
  // Causes can form a circle.
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
  // A stack begins with the message, and a line of the message can look like a stack frame. A stack without the message
  // begins with an older message.
  const start = stack.indexOf(message)
  const frames = start < 0 ? null : stack.slice(start + message.length).match(/^ {4}at .+:\d+:\d+\)?$/gm)
  if (frames) facts.at = frames.slice(0, 8).join('\n')
  return facts
}
