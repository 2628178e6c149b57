/**
 * Keeps a request from being answered twice. At the deadline Fastify answers, but the host's hooks may hold that
 * answer back for a while; a second one meanwhile would be an error that nobody handles, which ends the process.
 */
import type { FastifyReply, FastifyRequest } from 'fastify'

/** Whether somebody else answers: Fastify at the deadline, or a hook of the host's. */
export const isAnswered = ({ signal }: FastifyRequest, reply: FastifyReply): boolean =>
  reply.sent || Object(signal.reason).code === 'FST_ERR_HANDLER_TIMEOUT'

/** What comes of `work`; where somebody else has answered meanwhile undefined, or nothing at all. */
export async function unlessAnswered<Result>(
  request: FastifyRequest,
  reply: FastifyReply,
  work: () => Result | Promise<Result>
): Promise<Result | undefined> {
  try {
    const result = await work()
    if (!isAnswered(request, reply)) return result
  } catch (error) {
    if (!isAnswered(request, reply)) throw error
  }
  // with an answer that is out Fastify goes no further, but it would with one that is held back
  return reply.sent ? undefined : new Promise(() => undefined)
}
