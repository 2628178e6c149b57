import type { FastifyInstance } from 'fastify'

/** The event of an AWS function URL or HTTP API. @fastify/aws-lambda reads the other events. */
interface Event {
  rawPath: string
  rawQueryString: string
  headers: Record<string, string>
  /** AWS takes them out of the headers. */
  cookies?: string[]
}

/** @param build makes the server, with `checkOnReady: 'off'` and a pool of one connection. */
export function handlerOf(build: () => Promise<FastifyInstance>) {
  // One server for all events of a process.
  let server: Promise<FastifyInstance> | undefined
  return async ({ rawPath, rawQueryString, headers, cookies = [] }: Event) => {
    server ??= build()
    const app = await server.catch((error) => {
      server = undefined
      throw error
    })
    const cookie = cookies.join('; ')
    const url = `${rawPath}?${rawQueryString}`
    const answer = await app.inject({ method: 'GET', url, headers: { ...headers, ...(cookie && { cookie }) } })
    return { statusCode: answer.statusCode, headers: answer.headers, body: answer.body }
  }
}
