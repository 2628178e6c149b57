/** When a request ends: at its deadline, or when its client leaves. */
import type { EventEmitter } from 'node:events'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Deadline } from '../database/execute.js'
import { Failure } from '../errors/failure.js'

/** The end of one request. */
export interface RequestDeadline extends Deadline {
  /** Aborted with the `Failure` that says why nobody waits any more. */
  readonly over: AbortSignal
  /** Settles as `work` does, or rejects when the request ends first. What `work` does after that is ignored. */
  race<Result>(work: () => Result | Promise<Result>): Promise<Result>
}

export type DeadlineOf = (request: FastifyRequest) => RequestDeadline

/**
 * Milliseconds that the host's hooks have after the deadline, for the 504 or for an answer that was ready in time. Then
 * the 504 is written without the hooks.
 */
const hookTime = 100

const clientLeft = () => new Failure('host', 'The client left before the answer.', {}, 499)
const deadlinePassed = () => new Failure('timeout', 'The deadline passed.')

/**
 * Starts the deadline of each request in our scope, before the request is authenticated. Fastify's `handlerTimeout`
 * starts earlier, before the host's own hooks, but ends the process where it passes during an `onError` hook.
 *
 * @param answerLate answers a request whose answer a hook of the host holds back
 */
export function startDeadlines(
  app: FastifyInstance,
  timeout: number,
  answerLate: (failure: Failure, request: FastifyRequest, reply: FastifyReply) => void
): DeadlineOf {
  const deadlines = new WeakMap<FastifyRequest, RequestDeadline & { end(reply: FastifyReply): void }>()

  app.addHook('onRequest', (request, reply, done) => {
    const connection = connectionOf(request)
    if (connection.destroyed) return done(clientLeft())
    const end = new AbortController()
    let racing = 0
    const timeLeft = () => (end.signal.aborted ? 0 : timeout - reply.elapsedTime)
    let timer = setTimeout(() => {
      const failure = deadlinePassed()
      end.abort(failure)
      timer = setTimeout(() => answerLate(failure, request, reply), hookTime)
    }, timeLeft())
    const finish = (reason?: Failure) => {
      clearTimeout(timer)
      forget()
      if (reason) end.abort(reason)
    }
    const forget = onClose(connection, () => finish(clientLeft()))
    deadlines.set(request, {
      timeLeft,
      over: end.signal,
      async race(work) {
        racing++
        try {
          return await raceOf(work, end.signal)
        } finally {
          racing--
        }
      },
      end({ sent }) {
        // A stream of HTTP/2 that is reset ends its reply before it closes.
        if (!sent) finish(clientLeft())
        else finish(racing > 0 ? new Failure('host', 'A hook of the server has answered.', {}, 499) : undefined)
      }
    })
    done()
  })

  // With this hook Fastify measures the time of a request even where it does not log.
  app.addHook('onResponse', (request, reply, done) => {
    deadlines.get(request)?.end(reply)
    done()
  })

  return (request) => deadlines.get(request) as RequestDeadline
}

async function raceOf<Result>(work: () => Result | Promise<Result>, over: AbortSignal): Promise<Result> {
  over.throwIfAborted()
  return new Promise((resolve, reject) => {
    over.addEventListener('abort', () => reject(over.reason))
    // An async function, so that a synchronous throw of `work` rejects too.
    ;(async () => work())().then(resolve, reject)
  })
}

type Connection = EventEmitter & { destroyed?: boolean }

/**
 * What closes when the client leaves: the socket, or the stream of HTTP/2. Neither the reply nor the request tells:
 * of pipelined requests only the first reply closes with the socket, and a request closes when a hook has read it.
 */
const connectionOf = ({ raw }: FastifyRequest): Connection => (raw as { stream?: Connection }).stream ?? raw.socket

/** By connection. One listener serves all requests that share a connection, however many are pipelined. */
const listeners = new WeakMap<Connection, Set<() => void>>()

/** @returns removes the listener */
function onClose(connection: Connection, listener: () => void): () => void {
  const all = listeners.get(connection) ?? new Set()
  if (!listeners.has(connection)) {
    listeners.set(connection, all)
    connection.once('close', () => {
      for (const each of all) each()
    })
  }
  all.add(listener)
  return () => all.delete(listener)
}
