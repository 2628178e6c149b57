/** An exchange: one request, and its one answer. Everything about who answers, and until when, stands in this file. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type Deadline, race } from '../database/deadline.js'
import { Failure } from '../errors/failure.js'
import type { Caller, Reach } from '../lists/reach.js'
import { onClose } from './connection.js'
import { maskUrl } from './request-log.js'

/** `hook` is a hook of the host, before or after the hooks of the plugin. */
export type WaitingFor = 'hook' | 'authenticate' | 'resolveRole' | 'connection' | 'statement'

/** Writes a failure without the host's hooks. */
export type WriteFailure = (failure: Failure, request: FastifyRequest, reply: FastifyReply) => void

export const noStore = 'private, no-store'

/** Milliseconds after the deadline until the 504 is written without the host's hooks. */
const hookTime = 100

const clientLeft = () => new Failure('aborted', 'The client left before the answer.')

export class Exchange {
  /** Undefined until `resolveRole` has returned. */
  caller?: Caller
  reach?: Reach
  /** For the log line of a 504. */
  waitingFor: WaitingFor = 'hook'
  /** Whether a 504 is logged. No later failure of the exchange is logged. */
  hasTimedOut = false
  readonly deadline: Deadline & { readonly over: AbortSignal }

  readonly #reply: FastifyReply
  readonly #send: FastifyReply['send']
  readonly #end = new AbortController()
  #timeout = Number.POSITIVE_INFINITY
  #timer: NodeJS.Timeout | undefined
  #forgetConnection: (() => void) | undefined
  #isClaimed = false
  #awaits404 = false
  #answer: { status: number; type: unknown } | undefined

  constructor(reply: FastifyReply) {
    this.#reply = reply
    const { request, send, callNotFound } = reply
    this.#send = send
    reply.send = (payload) => (this.#claimSend() ? this.send(payload) : this.#drop(payload))
    reply.callNotFound = () => {
      // Fastify runs the root `preHandler` hooks again for its 404 handler, and they may call again.
      if (!this.#awaits404 && !this.claim()) return this.#drop()
      this.#awaits404 = true
      // Fastify logs the URL of an unknown route (contract 104).
      request.raw.url = maskUrl(request.url)
      return callNotFound.call(reply)
    }
    const { signal } = this.#end
    this.deadline = {
      timeLeft: () => (signal.aborted ? 0 : this.#timeout - reply.elapsedTime),
      over: signal,
      onWait: (what) => this.#wait(what)
    }
  }

  /**
   * `open`: nobody has answered. `answering`: somebody has, and a hook of the host may still delay or change the answer.
   * `over`: the answer has begun, or the host has hijacked the reply.
   */
  get state(): 'open' | 'answering' | 'over' {
    const { sent, raw } = this.#reply
    if (sent || raw.headersSent) return 'over'
    return this.#isClaimed ? 'answering' : 'open'
  }

  /** @returns true for the first call, which may answer */
  claim(): boolean {
    const isFirst = this.state === 'open'
    this.#isClaimed = true
    return isFirst
  }

  /** After `callNotFound`, the 404 handler of the host sends the claimed answer. */
  #claimSend(): boolean {
    const isFirst = this.#awaits404 || this.claim()
    this.#awaits404 = false
    return isFirst
  }

  /** Sends the claimed answer, or a failure in place of it. */
  send(payload: unknown): FastifyReply {
    const reply = this.#reply
    // Fastify can add the media type later. A hook of the host can send a second answer meanwhile.
    this.#answer = { status: reply.statusCode, type: reply.getHeader('content-type') }
    this.#send.call(reply, payload)
    this.#answer = { status: reply.statusCode, type: reply.getHeader('content-type') ?? null }
    return reply
  }

  /** Drops a second answer, of a hook that does not return the reply or of a callback that answers twice. */
  #drop(payload?: unknown): FastifyReply {
    // The second sender has already changed the status and the media type.
    if (this.#answer && this.state === 'answering') {
      const { status, type } = this.#answer
      this.#reply.code(status)
      if (type === null) this.#reply.removeHeader('content-type')
      else if (type !== undefined) this.#reply.header('content-type', type)
    }
    this.#reply.log.debug('A hook or a callback of the server sent a second answer, which is dropped.')
    destroy(payload)
    return this.#reply
  }

  /** @throws Failure when the client has left already */
  start(timeout: number, writeLate: WriteFailure): void {
    const { request } = this.#reply
    const forget = onClose(request.raw, () => this.#stop(clientLeft()))
    if (!forget) throw clientLeft()
    this.#forgetConnection = forget
    this.#timeout = timeout
    this.#timer = setTimeout(() => {
      const failure = new Failure('timeout', 'The deadline passed.')
      this.#end.abort(failure)
      this.#timer = setTimeout(() => writeLate(failure, request, this.#reply), hookTime)
    }, this.deadline.timeLeft())
  }

  /** The reply has ended. */
  finish(): void {
    // A reset HTTP/2 stream ends its reply before the stream closes. A hook of the host can answer while a step runs.
    const isUnfinished = !this.#reply.sent || this.waitingFor !== 'hook'
    this.#stop(isUnfinished ? clientLeft() : undefined)
  }

  #stop(reason?: Failure) {
    clearTimeout(this.#timer)
    this.#forgetConnection?.()
    if (reason) this.#end.abort(reason)
  }

  /** If a hook of the host blocks the event loop until the time is over, the next step begins before the timer fires. */
  #wait(what: WaitingFor): void {
    if (this.deadline.timeLeft() > 0) this.waitingFor = what
  }

  /** Rejects with a `Failure` if the request ends first. The later outcome of `work` is ignored. */
  async race<Result>(what: WaitingFor, work: () => Result | Promise<Result>): Promise<Result> {
    const { over } = this.deadline
    const result = await race(over, () => {
      this.#wait(what)
      return work()
    })
    this.#wait('hook')
    return result
  }
}

/** A WeakMap with an entry for each request would slow down the garbage collection. */
const key = Symbol('exchange')

/** The exchange of a reply. The failure of a hook before those of the plugin has an exchange without a deadline. */
export function exchangeOf(reply: FastifyReply): Exchange {
  const keeper = reply as FastifyReply & { [key]?: Exchange }
  keeper[key] ??= new Exchange(reply)
  return keeper[key]
}

/**
 * Opens an exchange for each request, with all of its hooks. Fastify's `handlerTimeout` cannot replace the deadline: a
 * timeout during an `onError` hook ends the process.
 */
export function openExchanges(app: FastifyInstance, timeout: number, writeLate: WriteFailure): void {
  app.addHook('onRequest', function openExchange(_request, reply, done) {
    exchangeOf(reply).start(timeout, writeLate)
    done()
  })

  // Runs after the host's `onSend` hooks, which the host's own `onRoute` can add.
  app.addHook('onRoute', (route) => {
    const hooks = [route.onSend ?? []].flat()
    route.onSend = [
      ...hooks,
      function keepFromCaches(_request, reply, payload, done) {
        // A 504 was written while a hook delayed this answer.
        if (exchangeOf(reply).state === 'over') return destroy(payload)
        reply.header('cache-control', noStore)
        done()
      }
    ]
  })

  // Fastify sets `reply.elapsedTime` without logging only if an `onResponse` hook exists.
  app.addHook('onResponse', function closeExchange(_request, reply, done) {
    exchangeOf(reply).finish()
    done()
  })
}

/** A stream of Node.js or of the web would keep its file open. */
function destroy(payload: unknown): void {
  const { destroy } = Object(payload)
  if (typeof destroy === 'function') destroy.call(payload)
  const stream = payload instanceof Response ? payload.body : payload
  // A stream with a reader refuses.
  if (stream instanceof ReadableStream) void Promise.allSettled([stream.cancel()])
}
