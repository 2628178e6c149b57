/** The requests to every engine: the requests of the matrix, and requests for a large clinic. */
import { type MatrixRequest, requests as matrix } from '../matrix/requests.js'
import { callers } from '../support/fixtures/world.js'
import { type DefaultList as List, reachesOf } from '../support/oracle/oracle.js'
import type { EngineData } from './data.js'

/** Texts of names, emails and payments. Each wildcard, quote and escape character is there. */
const terms = [
  ...['%', '_', '!', '%%', '!_', '\\', "'", '"', 'a', 'Zo', 'ZOË', 'Søren', "O'B", 'la cruz', '100%', 'r_s', 'h!'],
  ...['.12@', 'jane.6@example.org', 'PI_1', 'pi_z', 'no such person']
]

const filters: Record<List, [name: string, values: string[]]> = {
  assessments: ['status', ['completed', 'pending', 'reserved']],
  payments: ['processor_status', ['succeeded', 'pending', 'failed']]
}

export interface EngineRequest extends MatrixRequest {
  /** Of the caller. */
  reach: string
}

export function requestsOf({ clinic, counts }: EngineData): EngineRequest[] {
  const pathsOf = (list: List) => {
    const [filter, values] = filters[list]
    const [first, second] = values as [string, string]
    const middle = Math.floor(counts[list] / 2 / 12)
    const searches = terms.map((term) => `search=${encodeURIComponent(term)}`)
    const asked = [
      'search=',
      'search=&limit=100',
      ...[2, 5, middle, middle * 2, middle * 2 + 1, 999_999].map((page) => `search=&page=${page}`),
      ...values.map((value) => `search=&${filter}=${value}`),
      `search=&${filter}=${first}&page=3&limit=7`,
      `search=&${filter}=${second}&page=${Math.max(1, Math.floor(middle / 2))}`,
      ...searches,
      `search=j&${filter}=${first}&limit=3`,
      'search=example&page=4&limit=25',
      `search=_&${filter}=${second}&page=2`
    ]
    return asked.map((query) => `/${list.slice(0, -1)}/list?${query}`)
  }
  // One caller of each role. Staff are linked to clients.
  const own: EngineRequest[] = callers.flatMap(({ role }, index) => {
    const people = role === 'Individual' || role === 'ordinary user' ? clinic.clients : clinic.staff
    const sub = String(people[index * 2 + 6]?.userId)
    return (['assessments', 'payments'] as const).flatMap((list) =>
      pathsOf(list).map((path) => ({
        method: 'GET' as const,
        path,
        asker: { name: role, user: { sub, role } },
        status: reachesOf(role)[list] === 'none' ? 403 : 200,
        reach: reachesOf(role)[list]
      }))
    )
  })
  // The requests that wait for the deadline, and those of strangers, do not reach the database.
  const others = matrix
    .filter(({ status }) => status !== 504 && status !== 401)
    .map((request) => ({ ...request, reach: 'none' }))
  return [...own, ...others]
}
