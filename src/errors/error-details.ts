/** Reads the details of a thrown value, which can be anything. */
import type { Facts } from './failure.js'

/** A missing text is empty. */
export type Reported = ReturnType<typeof read>

const plainProperties = new Set<unknown>(['name', 'message', 'stack', 'cause', 'errors', 'statusCode', 'status'])

/**
 * The classes of errors whose message is the host's own. Classes of drivers may have no property of their own, and a
 * SyntaxError of `JSON.parse` has a part of the text.
 */
const plainClass = /^(Error|TypeError|RangeError|ReferenceError)$/

const text = (value: unknown) => (typeof value === 'string' ? value : '')

function read(error: unknown) {
  const { sqlState, severity, statusCode, name, message, stack, cause, errors, meta } = Object(error)
  const { originalError, parent, original, errorCode, originalCode, kind } = Object(error)
  // Prisma names the code of a start `errorCode`, and that of a driver `originalCode`, or says only what kind of error it is.
  const { code = errorCode ?? originalCode ?? kind } = Object(error)
  const { errno = kind === 'mysql' ? code : undefined } = Object(error)
  const isError = error instanceof Error
  // The name of the class. A host can set `name` to anything.
  const className = isError ? text(error.constructor.name) : ''
  // `fetch`, fast-jwt and Drizzle have a cause, Sequelize a parent, and Prisma the error of its adapter. An `AggregateError`
  // holds an error per address.
  const wrapped = [cause, originalError, parent, original, Object(meta).driverAdapterError]
  const causes: unknown[] = [...wrapped, ...(Array.isArray(errors) ? errors : [])].filter(Boolean)
  return {
    code: text(code),
    errno: typeof errno === 'number' ? errno : undefined,
    sqlState: text(sqlState),
    /** PostgreSQL ends the connection. */
    isFatal: severity === 'FATAL',
    statusCode: typeof statusCode === 'number' ? statusCode : Number(text(statusCode)),
    name: text(name),
    className,
    message: text(message),
    stack: text(stack),
    causes,
    /** Whether the value is probably an error of no driver: a class of JavaScript, and no property besides these. */
    isPlain:
      isError &&
      code === undefined &&
      [name, className].every((each) => plainClass.test(each)) &&
      Reflect.ownKeys(error).every((property) => plainProperties.has(property))
  }
}

export function reportOf(error: unknown): Reported {
  try {
    return read(error)
  } catch {
    // A getter threw.
    return read(undefined)
  }
}

/** The error itself and its causes. Causes can form a circle. */
export const withCauses = (reported: Reported, depth = 0): Reported[] =>
  depth === 5 ? [reported] : [reported, ...reported.causes.flatMap((cause) => withCauses(reportOf(cause), depth + 1))]

export function factsOf({ code, errno, sqlState, className, message, stack }: Reported): Facts {
  // A stack begins with the message, and a line of the message can look like a stack frame. A stack without the message
  // begins with an older message.
  const start = stack.indexOf(message)
  const frames = start < 0 ? null : stack.slice(start + message.length).match(/^ {4}at .+:\d+:\d+\)?$/gm)
  return {
    ...(/^\w{1,64}$/.test(className) && { error: className }),
    ...(/^\w{1,64}$/.test(code) && { code }),
    ...(errno !== undefined && { errno }),
    ...(/^\w{5}$/.test(sqlState) && { sqlState }),
    ...(frames && { at: frames.slice(0, 8).join('\n') })
  }
}
