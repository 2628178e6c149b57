/** Measures how long a request waits for the database, for tracers and for the log. */
import { channel } from 'node:diagnostics_channel'
import type { Step, Timed } from '../database/session.js'
import type { Reach } from '../lists/roles.js'
import { type Grants, nameOf } from '../visibility/grant.js'

/**
 * The message of the diagnostics channel `fastify-assessment-payment-listing:step`. Each step of a request publishes a
 * message in the async context of the request.
 */
export interface ListingStep {
  /** The `id` of the Fastify request. Undefined for `find` and `each`. */
  readonly requestId: string | undefined
  /** The name of the list, such as `payments`. */
  readonly list: string
  /** The reach of the caller on the list. A reach with linked records is `linked`. */
  readonly reach: Reach
  /**
   * What the request waited for. `columns`: the types of the columns, once a minute. `matches`: the ids that a search
   * matches. `total`: the number of records. `page`: the records, on PostgreSQL with the numbers beside them. `counts`:
   * the number of records for each value of a filter.
   */
  readonly step: Step
  /** Duration in milliseconds, including the wait for a connection. */
  readonly milliseconds: number
  /** Whether the step threw an error. */
  readonly failed: boolean
}

const steps = channel('fastify-assessment-payment-listing:step')

/** @internal @returns `timed` measures a step. `durations` has the milliseconds of each step so far. */
export function timingOf(requestId: string | undefined, list: string, reach: Grants) {
  const durations: Partial<Record<Step, number>> = {}
  const timed: Timed = async (step, run) => {
    const start = performance.now()
    let failed = true
    try {
      const result = await run()
      failed = false
      return result
    } finally {
      const milliseconds = Math.round((performance.now() - start) * 1000) / 1000
      durations[step] = (durations[step] ?? 0) + milliseconds
      if (steps.hasSubscribers) {
        steps.publish({ requestId, list, reach: nameOf(reach), step, milliseconds, failed } satisfies ListingStep)
      }
    }
  }
  return { timed, durations }
}
