import type { FastifyInstance } from 'fastify'

/** The event of an AWS function URL or HTTP API. @fastify/aws-lambda reads the other events. */
interface Event {
  rawPath: string
  rawQueryString: string
  headers: Record<string, string>
}

/** @param build makes the server, with `checkOnReady: 'off'` and a pool of one connection. */
export function handlerOf(build: () => Promise<FastifyInstance>) {
  // One server for all events of a process.
  let server: Promise<FastifyInstance> | undefined
  return async ({ rawPath, rawQueryString, headers }: Event) => {
    server ??= build()
    const app = await server.catch((error) => {
      server = undefined
      throw error
    })
    const answer = await app.inject({ method: 'GET', url: `${rawPath}?${rawQueryString}`, headers })
    return { statusCode: answer.statusCode, headers: answer.headers, body: answer.body }
  }
}
