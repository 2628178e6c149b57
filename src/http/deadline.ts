/** Ends a request at its deadline, or when its client disconnects. */
import type { EventEmitter } from 'node:events'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Failure } from '../errors/failure.js'
import { type RequestDeadline, type RequestState, requestStates } from './request-state.js'

/** Milliseconds after the deadline until the 504 is written without the host's hooks. */
const hookTime = 100

const clientLeft = () => new Failure('host', 'The client left before the answer.', {}, 499)
const deadlinePassed = () => new Failure('timeout', 'The deadline passed.')

/**
 * Gives each request its state with a deadline, and ends the request at the deadline or when its client disconnects.
 * Fastify's `handlerTimeout` cannot replace the deadline: a timeout during an `onError` hook ends the process.
 *
 * @param sendLate sends the 504 while a hook of the host delays the answer
 */
export function startDeadlines(
  app: FastifyInstance,
  timeout: number,
  sendLate: (failure: Failure, request: FastifyRequest, reply: FastifyReply) => void
): void {
  app.addHook('onRequest', (request, reply, done) => {
    const connection = connectionOf(request)
    if (connection.destroyed) return done(clientLeft())
    const end = new AbortController()
    let racing = 0
    const timeLeft = () => (end.signal.aborted ? 0 : timeout - reply.elapsedTime)
    let timer = setTimeout(() => {
      const failure = deadlinePassed()
      end.abort(failure)
      timer = setTimeout(() => sendLate(failure, request, reply), hookTime)
    }, timeLeft())
    const finish = (reason?: Failure) => {
      clearTimeout(timer)
      forget()
      if (reason) end.abort(reason)
    }
    const forget = onClose(connection, () => finish(clientLeft()))
    // A hook of the host before the plugin's hooks can use up the time. The timer fires only after the next steps begin.
    const onWait: RequestDeadline['onWait'] = (waitingFor) => {
      if (timeLeft() > 0) state.waitingFor = waitingFor
    }
    const state: RequestState = {
      waitingFor: 'hook',
      deadline: {
        timeLeft,
        over: end.signal,
        onWait,
        async race(waitingFor, work) {
          racing++
          onWait(waitingFor)
          try {
            const result = await raceOf(work, end.signal)
            onWait('hook')
            return result
          } finally {
            racing--
          }
        },
        end({ sent }) {
          // A reset HTTP/2 stream ends its reply before the stream closes.
          if (!sent) finish(clientLeft())
          else finish(racing > 0 ? new Failure('host', 'A hook of the server has answered.', {}, 499) : undefined)
        }
      }
    }
    requestStates.set(request, state)
    done()
  })

  // Fastify sets `reply.elapsedTime` without logging only if an `onResponse` hook exists.
  app.addHook('onResponse', (request, reply, done) => {
    requestStates.get(request)?.deadline.end(reply)
    done()
  })
}

async function raceOf<Result>(work: () => Result | Promise<Result>, over: AbortSignal): Promise<Result> {
  over.throwIfAborted()
  return new Promise((resolve, reject) => {
    const onAbort = () => reject(over.reason)
    over.addEventListener('abort', onAbort)
    const run = async () => {
      try {
        return await work()
      } finally {
        // The signal would keep the result in memory as long as the request.
        over.removeEventListener('abort', onAbort)
      }
    }
    run().then(resolve, reject)
  })
}

type Connection = EventEmitter & { destroyed?: boolean }

/**
 * The socket, or the HTTP/2 stream. Replies and requests do not report a disconnect: of pipelined replies, only the
 * first closes with the socket. A request also closes when a hook has read the body.
 */
const connectionOf = ({ raw }: FastifyRequest): Connection => (raw as { stream?: Connection }).stream ?? raw.socket

/** Pipelined requests share one listener, because Node.js warns above ten. */
const listeners = new WeakMap<Connection, Set<() => void>>()

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
