/** Sessions and requests for tests of `src/query`, without a server. */
import { type Deadline, openSession, type Session, type Timed } from '../../src/database/session.js'
import { sourceOf } from '../../src/database/source.js'
import type { Database, Tables } from '../../src/database/tables.js'
import type { Reach } from '../../src/lists/reach.js'
import type { ListRequest } from '../../src/query/request.js'

/** The deadline of a request with ten seconds left. */
export const patient: Deadline = { timeLeft: () => 10_000 }

interface Opening extends Partial<Deadline> {
  tables?: object
  timed?: Timed
}

/** The session of a request, with ten seconds left. The tables need no types. */
export const sessionOf = (db: object, { tables = {}, timed, ...deadline }: Opening = {}): Session =>
  openSession(sourceOf(db as Database, tables as Tables), { ...patient, ...deadline }, timed)

interface Asking {
  reach: Reach
  userId: string
  page: number
  limit: number
  parameters: ListRequest['parameters']
}

/** A request of user 20 for the first page of all records. */
export const requestFor = ({
  reach = 'all',
  userId = '20',
  page = 1,
  limit = 12,
  parameters = {}
}: Partial<Asking> = {}): ListRequest => ({
  reach,
  caller: { userId, role: '' },
  page: { page, limit },
  parameters
})
