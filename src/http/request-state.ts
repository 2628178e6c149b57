/** What the plugin knows of each running request. */
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Deadline } from '../database/session.js'
import type { Caller, Reach } from '../lists/reach.js'
import { property } from './property.js'

/** `hook` is a hook of the host, before or after the hooks of the plugin. */
export type WaitingFor = 'hook' | 'authenticate' | 'resolveRole' | 'connection' | 'statement'

export interface RequestDeadline extends Deadline {
  onWait(waitingFor: WaitingFor): void
  /** The reason is a `Failure`. */
  readonly over: AbortSignal
  /** Rejects if the request ends first. The later outcome of `work` is ignored. */
  race<Result>(waitingFor: WaitingFor, work: () => Result | Promise<Result>): Promise<Result>
  /** The reply has ended. */
  end(reply: FastifyReply): void
}

export interface RequestState {
  readonly deadline: RequestDeadline
  /** For the log line of a 504. */
  waitingFor: WaitingFor
  /** Undefined until the caller is known. */
  caller?: Caller
  reach?: Reach
}

/** A request has no state before the first hook of the plugin. */
export const requestStates = property<FastifyRequest, RequestState>()

export const stateOf = (request: FastifyRequest): RequestState => requestStates.get(request) as RequestState

export const deadlineOf = (request: FastifyRequest): RequestDeadline => stateOf(request).deadline
