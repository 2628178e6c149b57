/** Errors of drivers as other libraries wrap them, with the classes, the properties and the messages of these libraries. */
import { thrown } from './thrown.js'

class DrizzleQueryError extends Error {
  constructor(
    readonly query: string,
    readonly params: unknown[],
    cause: unknown
  ) {
    super(`Failed query: ${query}\nparams: ${params}`, { cause })
  }
}

class KnexTimeoutError extends Error {
  override name = 'KnexTimeoutError'
}

class PrismaClientInitializationError extends Error {
  override name = 'PrismaClientInitializationError'
  clientVersion = '6.19.0'
  constructor(readonly errorCode: string) {
    super("Can't reach database server at `db:5432`")
  }
}

class PrismaClientKnownRequestError extends Error {
  override name = 'PrismaClientKnownRequestError'
  clientVersion = '6.19.0'
  constructor(
    readonly code: string,
    readonly meta: object = {}
  ) {
    super('Invalid `prisma.member.findUnique()` invocation')
  }
}

class DriverAdapterError extends Error {
  override name = 'DriverAdapterError'
}

class SequelizeDatabaseError extends Error {
  override name = 'SequelizeDatabaseError'
  readonly original: unknown
  constructor(readonly parent: Error) {
    super(parent.message)
    this.original = parent
  }
}

const statement = "select * from members where email = 'jane@example.org'"

export const drizzle = (cause: unknown) =>
  new DrizzleQueryError('select * from members where email = $1', ['jane@example.org'], cause)

const knex = (message: string, fields: object = {}) => Object.assign(new KnexTimeoutError(message), fields)

/** The error of a driver adapter of Prisma. */
export const prisma = (cause: object) =>
  new PrismaClientKnownRequestError('P2010', { driverAdapterError: new DriverAdapterError('', { cause }) })

export const sequelize = (parent: Error, name = 'SequelizeDatabaseError') =>
  Object.assign(new SequelizeDatabaseError(parent), { name, sql: statement })

const canceled = thrown({ code: '57014', severity: 'ERROR' }, 'canceling statement due to statement timeout')
const refused = thrown({ code: 'ECONNREFUSED', errno: -111, syscall: 'connect' }, 'connect ECONNREFUSED db:5432')
const ofKnex = { sql: statement, bindings: ['jane@example.org'], timeout: 1000 }

export const wrapped: [what: string, error: Error, status: number][] = [
  ['Drizzle, a canceled statement', drizzle(canceled), 504],
  ['Drizzle, a server that is down', drizzle(refused), 503],
  ['Drizzle, a lock of MySQL', drizzle(thrown({ code: 'ER_LOCK_WAIT_TIMEOUT', errno: 1205, sqlState: 'HY000' })), 504],
  [
    'Knex, a full pool',
    knex(
      'Knex: Timeout acquiring a connection. The pool is probably full. Are you missing a .transacting(trx) call?',
      ofKnex
    ),
    503
  ],
  ['Knex, a slow query', knex('Defined query timeout of 1000ms exceeded when running query.', ofKnex), 504],
  [
    'Knex, a slow query that cannot be canceled',
    thrown({ code: '42501', ...ofKnex }, 'After query timeout of 1000ms exceeded, cancelling of query failed.'),
    504
  ],
  ['Prisma, a start', new PrismaClientInitializationError('P1001'), 503],
  ['Prisma, a start that takes too long', new PrismaClientInitializationError('P1002'), 503],
  ['Prisma, a closed connection', new PrismaClientKnownRequestError('P1017'), 503],
  ['Prisma, a full pool', new PrismaClientKnownRequestError('P2024', { connection_limit: 1, timeout: 10 }), 503],
  ['Prisma, a conflict', new PrismaClientKnownRequestError('P2034'), 503],
  ['Prisma, a slow operation', new PrismaClientKnownRequestError('P1008'), 504],
  ['Prisma with pg', prisma({ originalCode: '57014', kind: 'postgres', code: '57014', severity: 'ERROR' }), 504],
  ['Prisma with MariaDB', prisma({ kind: 'mysql', code: 1205, state: 'HY000' }), 504],
  ['Prisma with MariaDB 7', prisma({ originalCode: '3024', kind: 'mysql', code: 3024, state: 'HY000' }), 504],
  ['Prisma, a server that is down', prisma({ kind: 'DatabaseNotReachable', host: 'db', port: 5432 }), 503],
  ['Prisma, a refused connection', prisma({ originalCode: 'ECONNREFUSED', kind: 'DatabaseNotReachable' }), 503],
  ['Prisma, a full server', prisma({ originalCode: '53300', kind: 'TooManyConnections', cause: 'full' }), 503],
  ['Prisma, a slow socket', prisma({ kind: 'SocketTimeout' }), 504],
  ['Sequelize, a canceled statement', sequelize(canceled), 504],
  ['Sequelize, a server that is down', sequelize(refused, 'SequelizeConnectionRefusedError'), 503],
  [
    'Sequelize, a full pool',
    sequelize(thrown({ name: 'TimeoutError' }, 'Operation timeout'), 'SequelizeConnectionAcquireTimeoutError'),
    503
  ],
  ['Drizzle in a layer of the host', new Error('The member was not found.', { cause: drizzle(canceled) }), 504]
]
