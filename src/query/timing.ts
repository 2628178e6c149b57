/** How long a request waits for the database: published for tracers as it happens, and logged in one line. */
import { channel } from 'node:diagnostics_channel'
import type { FastifyRequest } from 'fastify'
import type { RecordName } from '../database/tables.js'
import type { Reach } from '../lists/reach.js'

/** The steps: the traits of the columns (once a minute), the matches of the search, the total, the page. */
export type Step = 'columns' | 'matches' | 'total' | 'page'

/** What is published on the channel `fastify-assessment-payment-listing:step`, in the request's async context. */
export interface StepTiming {
  readonly requestId: string
  readonly list: RecordName
  readonly reach: Reach
  readonly step: Step
  /** Milliseconds, the wait for a connection included. */
  readonly milliseconds: number
  readonly failed: boolean
}

/** Runs a step of a request, and notes how long it takes. */
export type Timed = <Result>(step: Step, run: () => Promise<Result>) => Promise<Result>

const steps = channel('fastify-assessment-payment-listing:step')

/** @returns `timed`, and the milliseconds of each step so far */
export function timingOf({ id: requestId }: FastifyRequest, list: RecordName, reach: Reach) {
  const taken: Partial<Record<Step, number>> = {}
  const timed: Timed = async (step, run) => {
    const start = performance.now()
    let failed = true
    try {
      const result = await run()
      failed = false
      return result
    } finally {
      const milliseconds = Math.round((performance.now() - start) * 1000) / 1000
      taken[step] = (taken[step] ?? 0) + milliseconds
      if (steps.hasSubscribers) {
        steps.publish({ requestId, list, reach, step, milliseconds, failed } satisfies StepTiming)
      }
    }
  }
  return { timed, taken }
}
