/** An exchange: one request, its caller and its deadline, and its one answer. */
import type { EventEmitter } from 'node:events'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type Deadline, type RunningDeadline, race, startDeadline } from '../database/deadline.js'
import { Failure } from '../errors/failure.js'
import type { Caller } from '../visibility/caller.js'
import type { Grants } from '../visibility/grant.js'

/** `hook` is a hook of the host, before or after the hooks of the plugin. */
export type WaitingFor = 'hook' | 'authenticate' | 'resolveRole' | 'connection' | 'statement'

const clientLeft = () => new Failure('aborted', 'The client left before the answer.')

export class Exchange {
  /** Undefined until `resolveRole` has returned. */
  caller?: Caller
  /** Undefined until the caller is known, and for roles that may not see the list. */
  reach?: Grants
  /** For the log line of a 504. */
  waitingFor: WaitingFor = 'hook'
  readonly #deadline: RunningDeadline
  readonly #forgetConnection: () => void

  /** @throws Failure when the client has left already */
  constructor(raw: FastifyRequest['raw'], milliseconds: number) {
    const forget = onClose(raw, () => this.#deadline.end(clientLeft()))
    if (!forget) throw clientLeft()
    this.#forgetConnection = forget
    this.#deadline = startDeadline(milliseconds)
  }

  get deadline(): Deadline {
    const { timeLeft, over } = this.#deadline
    return { timeLeft, over, onWait: (what) => this.#wait(what) }
  }

  /** Rejects with a `Failure` if the request ends first. The later outcome of `work` is ignored. */
  async race<Result>(what: WaitingFor, work: () => Result | Promise<Result>): Promise<Result> {
    const result = await race(this.#deadline.over, () => {
      this.#wait(what)
      return work()
    })
    this.#wait('hook')
    return result
  }

  /** Waits for the answer of a hook. A hook that has only set a status gets a 504. */
  async answered(reply: FastifyReply): Promise<FastifyReply> {
    if (!reply.sent) await this.race('hook', () => new Promise<void>((resolve) => reply.then(resolve, () => resolve())))
    return reply
  }

  /** The result of `work`. Undefined if somebody else, such as a hook, answers meanwhile, even if `work` fails. */
  async unlessAnswered<Result>(reply: FastifyReply, work: () => Promise<Result>): Promise<Result | undefined> {
    try {
      const result = await work()
      if (!isAnswered(reply)) return result
    } catch (error) {
      if (!isAnswered(reply)) throw error
    }
    await this.answered(reply)
    return undefined
  }

  /** The reply has ended, perhaps while a step runs: a hook of the host answered, or an HTTP/2 stream was reset. */
  finish(): void {
    this.#forgetConnection()
    if (this.waitingFor === 'hook') this.#deadline.close()
    else this.#deadline.end(clientLeft())
  }

  /** If a hook of the host blocks the event loop past the deadline, the next step begins before the timer fires. */
  #wait(what: WaitingFor): void {
    if (this.#deadline.timeLeft() > 0) this.waitingFor = what
  }
}

/** A WeakMap with an entry for each request would slow down the garbage collection. */
const key = Symbol('exchange')

type Keeper = FastifyReply & { [key]?: Exchange }

/** Undefined when a hook fails before those of the plugin. */
export const exchangeOf = (reply: FastifyReply): Exchange | undefined => (reply as Keeper)[key]

/** Whether somebody has answered. While hooks delay an answer that nobody returned, only its status tells. */
export const isAnswered = (reply: FastifyReply): boolean => reply.sent || reply.statusCode >= 300

export function openExchanges(app: FastifyInstance, timeout: number): void {
  app.addHook('onRequest', function openExchange(request, reply: Keeper, done) {
    reply[key] = new Exchange(request.raw, timeout - reply.elapsedTime)
    done()
  })

  // Fastify sets `reply.elapsedTime` without logging only if an `onResponse` hook exists.
  app.addHook('onResponse', function closeExchange(_request, reply, done) {
    exchangeOf(reply)?.finish()
    done()
  })
}

type Connection = EventEmitter & { destroyed?: boolean }

/**
 * Listens to the socket or HTTP/2 stream. Of pipelined replies, only the first closes with the socket, and a request
 * closes also when a hook has read the body. Undefined if the connection is closed already.
 */
export function onClose(raw: FastifyRequest['raw'], listener: () => void): (() => void) | undefined {
  const connection = (raw as { stream?: Connection }).stream ?? (raw.socket as Connection)
  if (connection.destroyed) return undefined
  // Each pipelined request adds a listener, and Node.js warns above ten.
  connection.setMaxListeners(0).once('close', listener)
  return () => connection.off('close', listener)
}
