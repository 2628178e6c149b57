/** Reads the details of a thrown value, which can be anything. */

/** Details for the log: names and codes, never values or SQL. */
export type Facts = Readonly<Record<string, string | number>>

export interface Reported {
  code?: string | undefined
  errno?: number | undefined
  sqlState?: string | undefined
  statusCode?: number | undefined
  name?: string | undefined
  /** The name of the class. A host can set `name` to anything. */
  className?: string | undefined
  message?: string | undefined
  stack?: string | undefined
  /** `fetch` and fast-jwt wrap a socket error. An `AggregateError` holds an error per address. */
  causes: unknown[]
  /** Whether the value is an error of no driver: it has no property besides these, and no class of a driver. */
  isPlain: boolean
}

const plainProperties = new Set<unknown>(['name', 'message', 'stack', 'cause', 'errors', 'statusCode', 'status'])

/** `SQLite3Error` has no property of its own. */
const driverClass = /sql|database|query/i

export function reportOf(error: unknown): Reported {
  const text = (value: unknown) => (typeof value === 'string' ? value : undefined)
  const number = (value: unknown) => (typeof value === 'number' ? value : undefined)
  try {
    const { code, errno, sqlState, statusCode, name, message, stack, cause, originalError, errors } = Object(error)
    const isError = error instanceof Error
    const className = isError ? text(error.constructor.name) : undefined
    return {
      code: text(code),
      errno: number(errno),
      sqlState: text(sqlState),
      statusCode: number(statusCode) ?? Number(text(statusCode)),
      name: text(name),
      className,
      message: text(message),
      stack: text(stack),
      causes: [cause, originalError, ...(Array.isArray(errors) ? errors : [])].filter(Boolean),
      isPlain:
        isError &&
        code === undefined &&
        !driverClass.test(`${name} ${className}`) &&
        Reflect.ownKeys(error).every((property) => plainProperties.has(property))
    }
  } catch {
    // A getter threw.
    return { causes: [], isPlain: false }
  }
}

/** Finds the error itself or one of its causes. */
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

export function factsOf({
  code = '',
  errno,
  sqlState = '',
  className = '',
  message = '',
  stack = ''
}: Reported): Facts {
  const facts: Record<string, string | number> = {}
  if (/^\w{1,64}$/.test(className)) facts.error = className
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
