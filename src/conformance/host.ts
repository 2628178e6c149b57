/** Validates the result of `build`. */
import { describe } from '../errors/describe.js'
import type { List } from '../lists/list.js'
import { type Reach, reaches } from '../lists/reach.js'
import type { ConformanceServer } from './client.js'
import type { AnyCaller, ConformanceCaller } from './list-under-test.js'

/** The server under test and its callers. */
export interface ConformanceHost<Callers = readonly ConformanceCaller[]> {
  /** The server. The checks do not close it. */
  app: ConformanceServer
  /** At least one, ideally one per role. A caller with the reach `'all'` allows to find missing records. */
  callers: Callers
}

export function checkHost(
  host: ConformanceHost<unknown>,
  lists: readonly List[]
): ConformanceHost<readonly AnyCaller[]> {
  const { app, callers }: Partial<ConformanceHost<readonly AnyCaller[]>> = Object(host)
  if (typeof app?.inject !== 'function' || !Array.isArray(callers) || callers.length === 0) {
    throw new TypeError(
      `build must return { app, callers }, a Fastify server and an array of callers, got ${describe(host)}.`
    )
  }
  for (const caller of callers) {
    const { name, headers, userId, linked = [] } = caller
    const hasTexts =
      describe(headers).startsWith('an object') && Object.values(headers).every((value) => typeof value === 'string')
    if (typeof name !== 'string' || !hasTexts) {
      throw new TypeError(`A caller needs a name, and headers whose values are texts; got ${describe(caller)}.`)
    }
    if (userId === undefined || userId === null || !Array.isArray(linked)) {
      throw new TypeError(`Caller ${name} needs a userId; 'linked' is an array of ids.`)
    }
    for (const { name: list } of lists) {
      const reach = caller[list] as Reach
      if (!reaches.includes(reach)) {
        throw new TypeError(
          `'${list}' of caller ${name}: expected one of ${reaches.join(', ')}; got ${describe(reach)}.`
        )
      }
    }
  }
  return { app, callers }
}
