/** How far a request has come. The log lines of a failure tell. */
import type { FastifyRequest } from 'fastify'
import type { Reach } from '../lists/reach.js'

/** `hook` is a hook of the host, before or after the hooks of the plugin. */
export type WaitingFor = 'hook' | 'authenticate' | 'resolveRole' | 'connection' | 'statement'

export interface Progress {
  waitingFor: WaitingFor
  /** Undefined until the caller is known. */
  reach?: Reach
  /** Masked in messages. */
  userId?: string
}

/** The requests that the plugin has seen. */
export type ProgressOf = WeakMap<FastifyRequest, Progress>
