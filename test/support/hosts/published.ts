import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import type { Test } from 'tap'
import type { ListingStep } from '../../../src/question/timing.js'

const channel = 'fastify-assessment-payment-listing:step'

/** The steps that the diagnostics channel publishes during a test. */
export function published(t: Test): ListingStep[] {
  const steps: ListingStep[] = []
  const listen = (message: unknown) => void steps.push(message as ListingStep)
  subscribe(channel, listen)
  t.teardown(() => unsubscribe(channel, listen))
  return steps
}
