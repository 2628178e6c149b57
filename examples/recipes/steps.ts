import { subscribe } from 'node:diagnostics_channel'
import type { StepTiming } from 'fastify-assessment-payment-listing'

subscribe('fastify-assessment-payment-listing:step', (message) => {
  const { requestId, list, reach, step, milliseconds, failed } = message as StepTiming
  console.log(requestId, list, reach, step, milliseconds, failed)
})
