/** How long a request waits for the database: told to tracers as it happens, and to the log in one line a request. */
import { channel } from 'node:diagnostics_channel'
import type { FastifyRequest } from 'fastify'
import type { RecordName } from './relations.js'
import type { Reach } from './visibility.js'

/** What is asked: of what kind the columns are (once a minute), what the search matches, the total, the page. */
export type Step = 'columns' | 'matches' | 'total' | 'page'

/** What is published on the channel `fastify-assessment-payment-listing:step`, in the request's async context. */
export interface StepTiming {
  readonly requestId: string
  readonly list: RecordName
  readonly reach: Reach
  readonly step: Step
  /** From when it was asked on, the wait for a connection included. */
  readonly milliseconds: number
  readonly failed: boolean
}

/** Runs a step of a request, and notes how long it takes. */
export type Timed = <Result>(step: Step, run: () => Promise<Result>) => Promise<Result>

const steps = channel('fastify-assessment-payment-listing:step')

/** @returns beside `timed` the milliseconds of each step so far */
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
