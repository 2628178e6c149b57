import { subscribe } from 'node:diagnostics_channel'
import { metrics } from '@opentelemetry/api'
import type { ListingStep } from 'fastify-assessment-payment-listing'

/** Call the function after the SDK of OpenTelemetry has started. */
export function measureSteps() {
  const durations = metrics.getMeter('lists').createHistogram('lists.step.duration', { unit: 'ms' })
  subscribe('fastify-assessment-payment-listing:step', (message) => {
    const { list, reach, step, milliseconds, failed } = message as ListingStep
    durations.record(milliseconds, { list, reach, step, failed })
  })
}
