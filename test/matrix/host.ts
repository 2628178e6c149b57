/** What a row of the table of hosts may say, and how a host is built from it. */
import jwt, { type FastifyJWTOptions } from '@fastify/jwt'
import Fastify, { type FastifyInstance, type FastifyServerOptions } from 'fastify'
import listing, { type ListingOptions } from '../../src/index.js'
import { secret } from '../support/hosts/server.js'
import { type Client, openClient } from './client.js'
import { type Asker, bearer, type MatrixRequest } from './requests.js'

export type Lists = ListingOptions & { prefix?: string; logSerializers?: { req: () => string } }

export interface Host {
  /** What it does, to be read after "a host with". */
  name: string
  /** Its settings of Fastify. */
  server?: FastifyServerOptions
  /** What it does before it registers the lists, and after. */
  before?(app: FastifyInstance): unknown
  after?(app: FastifyInstance): unknown
  /** Its settings of @fastify/jwt, or false where it has none. */
  jwt?: Partial<FastifyJWTOptions> | false
  /** What it registers the lists with beside the database and the lookup of roles. */
  lists?: Partial<Lists> | ((app: FastifyInstance, lists: Lists) => Partial<Lists>)
  /** Builds it, where the four above don't do. */
  build?(lists: Lists): FastifyInstance | Promise<FastifyInstance>

  /** Where a path of the lists is found. */
  url?(path: string): string
  /** Headers that its clients send with every request. */
  sends?: Record<string, string>
  /** How its clients speak. HTTP/1.1 unless given. */
  client?(address: string): Client

  /** Headers that it adds, changes or drops, which are its own; every other one must be the plain host's. */
  adds?: readonly string[]
}

/** Hosts that do something before they register the lists, by name. */
export const hostsThat = (does: Record<string, NonNullable<Host['before']>>): Host[] =>
  Object.entries(does).map(([name, before]) => ({ name, before }))

/** Builds and loads the host; it does not listen yet. */
export async function build(host: Host, lists: Lists): Promise<FastifyInstance> {
  if (host.build) return host.build(lists)
  const app = Fastify(host.server)
  if (host.jwt !== false) app.register(jwt, { secret, ...host.jwt })
  await host.before?.(app)
  const own = typeof host.lists === 'function' ? host.lists(app, lists) : host.lists
  app.register(listing, { ...lists, ...own })
  await host.after?.(app)
  return app
}

/** Asks a running host as its own clients do. */
export function clientOf(host: Host, address: string) {
  const { ask, close } = (host.client ?? openClient)(address)
  const { url = (path) => path } = host
  const credentials = (asker: Asker): Record<string, string> => {
    const authorization = 'user' in asker ? bearer(asker.user) : asker.authorization
    return authorization === undefined ? {} : { authorization }
  }
  return {
    ask: async ({ method, path, asker }: MatrixRequest) =>
      ask({ method, path: url(path), headers: { ...host.sends, ...credentials(asker) } }),
    close
  }
}
