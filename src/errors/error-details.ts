/** Reads the details of a thrown value, which can be anything. */
import type { Facts } from './failure.js'

/** A missing text is empty. */
export type Reported = ReturnType<typeof read>

const plainProperties = new Set<unknown>(['name', 'message', 'stack', 'cause', 'errors', 'statusCode', 'status'])

/** No others: a driver's class may have no property of its own, and a SyntaxError of `JSON.parse` quotes the text. */
const plainClass = /^(Error|TypeError|RangeError|ReferenceError)$/

const text = (value: unknown) => (typeof value === 'string' ? value : '')

/** What a library wraps in properties of its own. The name tells the library from an application. */
function wrappedBy(
  name: string,
  error: Record<string, unknown>
): { causes: unknown[]; code?: unknown; errno?: unknown } {
  if (name.startsWith('Sequelize')) return { causes: [error.parent, error.original] }
  if (name.startsWith('PrismaClient')) return { causes: [Object(error.meta).driverAdapterError], code: error.errorCode }
  if (name !== 'DriverAdapterError') return { causes: [error.originalError] }
  // Of an adapter of Prisma: the code of the driver, which is a number for MySQL, or only the kind of the error.
  const { originalCode, code, kind } = Object(error.cause)
  return { causes: [], code: originalCode ?? (text(code) || kind), errno: kind === 'mysql' ? code : undefined }
}

function read(error: unknown) {
  const { code, errno, sqlState, severity, statusCode, name, message, stack, cause, errors } = Object(error)
  const wrapped = wrappedBy(text(name), Object(error))
  const isError = error instanceof Error
  // The name of the class. A host can set `name` to anything.
  const className = isError ? text(error.constructor.name) : ''
  // `fetch`, fast-jwt and Drizzle wrap an error as its cause. An `AggregateError` holds an error per address.
  const causes: unknown[] = [cause, ...wrapped.causes, ...(Array.isArray(errors) ? errors : [])].filter(Boolean)
  return {
    code: text(code) || text(wrapped.code),
    errno: [errno, wrapped.errno].find((number) => typeof number === 'number') as number | undefined,
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

const maxCauses = 50

/** The error itself and its causes, the nearest first. Causes can form a circle. */
export function withCauses(reported: Reported): Reported[] {
  const [all, seen] = [[reported], new Set<unknown>()]
  for (const { causes } of all) {
    for (const cause of causes) {
      if (seen.has(cause) || seen.size === maxCauses) continue
      seen.add(cause)
      all.push(reportOf(cause))
    }
  }
  return all
}

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
