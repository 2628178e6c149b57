/**
 * The demo's trial page, at `/`, from the files of ../page, and what only the page asks for. It gives the tokens of all
 * demo callers to everybody who asks: right for invented people, a secret that ends with the process and a server that
 * only this machine reaches, and for nothing else. Do not take it over into a server of yours, where a token is for those
 * who have signed in; ../app.ts is the part to copy.
 */
import { readdir, readFile } from 'node:fs/promises'
import helmet from '@fastify/helmet'
import type { FastifyInstance } from 'fastify'
import type { Kysely } from 'kysely'
import { type addLists, lists, roles } from '../app.js'
import { besideByHand } from './beside.js'
import { changedLists, changesFrom, reachesFor } from './changes.js'
import { codeOf } from './code.js'
import { withControls } from './controls.js'
import { documentation } from './documentation.js'
import { csvExport, parametersOf } from './export.js'
import { insertion } from './insert.js'
import { type OpenapiDocument, type PageList, pageLists } from './lists.js'
import { meanings } from './meanings.js'
import { whoSees, withRoles } from './who.js'

/** Somebody to try the lists as. */
export interface DemoCaller {
  name: string
  /** The roles in words, which name the caller on the page. */
  role: string
  roles: string[]
  userId: number
  token: string
}

export type DemoListings = Awaited<ReturnType<typeof addLists>>

interface Demo {
  callers: DemoCaller[]
  listings: DemoListings
  db: Kysely<Record<string, Record<string, unknown>>>
}

/** The folder of the repository, seen from the built file. */
const root = new URL('../../../', import.meta.url)
const folder = new URL('examples/page/', root)
const types: Record<string, string> = {
  css: 'text/css',
  js: 'text/javascript'
}

/** Only our own files run or load, and no text can become HTML, not even by a mistake in them. */
const directives = {
  'default-src': "'none'",
  'script-src': "'self'",
  'style-src': "'self'",
  'connect-src': "'self'",
  'img-src': "'self' data:",
  'base-uri': "'none'",
  // the export
  'form-action': "'self'",
  'frame-ancestors': "'none'",
  'require-trusted-types-for': "'script'",
  'trusted-types': "'none'"
}

export async function demoPage(app: FastifyInstance, { callers, listings, db }: Demo): Promise<void> {
  await app.register(helmet, { contentSecurityPolicy: { useDefaults: false, directives } })

  const described = () => pageLists(app.swagger() as unknown as OpenapiDocument, lists as never)
  const listOf = (name: string) => {
    const [first, ...others] = described()
    return others.find((list) => list.name === name) ?? (first as PageList)
  }

  const serve = (path: string, file: URL) =>
    app.get(path, { schema: { hide: true } }, async (_request, reply) => {
      reply.header('cache-control', 'no-cache').type(`${types[file.href.replace(/.*\./, '')]}; charset=utf-8`)
      return readFile(file)
    })
  app.get('/', { schema: { hide: true } }, async (_request, reply) => {
    reply.header('cache-control', 'no-cache').type('text/html; charset=utf-8')
    return withControls(await readFile(new URL('index.html', folder), 'utf8'), described(), callers)
  })
  for (const name of await readdir(folder)) {
    if (/\.(css|js)$/.test(name)) serve(`/page/${name}`, new URL(name, folder))
  }
  await app.register(documentation, { root })

  app.get('/demo/lists', { schema: { hide: true } }, async () => described())
  app.get('/demo/meanings', { schema: { hide: true } }, async () => meanings)
  app.get<{ Querystring: Record<string, string> }>('/demo/who', { schema: { hide: true } }, async ({ query }) => {
    const { list = '', query: question = '' } = query
    const asked = listOf(list)
    const changes = changesFrom(query.changes, asked.name)
    const reaches = Object.keys(reachesFor(asked.name))
    const { code, make } = changedLists(asked.name, changes, db)
    try {
      const seen = await whoSees(asked, parametersOf(question), withRoles(callers, changes.also), make())
      return { ...seen, code, reaches }
    } catch (error) {
      return { callers: [], records: [], code, reaches, refused: (error as Error).message }
    }
  })
  app.get<{ Querystring: Record<string, string> }>(
    '/demo/by-hand',
    { schema: { hide: true } },
    async (request, reply) => {
      const { role, list = '', query = '' } = request.query
      const caller = callers.find((caller) => caller.role === role)
      if (!caller) return reply.code(404).send({ error: 'The role is none of /demo/callers.' })
      return besideByHand(listOf(list), caller, new URLSearchParams(query), { listings, db })
    }
  )
  app.get<{ Querystring: Record<string, string> }>('/demo/code', { schema: { hide: true } }, async (request, reply) => {
    reply.header('cache-control', 'no-store')
    const { role, list = '', query = '', status, total } = request.query
    const caller = callers.find((caller) => caller.role === role) ?? callers[0]
    if (!caller) return {}
    const text = (file: string) => readFile(new URL(file, root), 'utf8')
    const isOwn = list === 'certificates'
    const files = isOwn
      ? ['examples/certificates.ts', 'examples/recipes/certificates.ts']
      : [`src/lists/ready/${listOf(list).name}.ts`]
    const answer = { status: Number(status), total: Number(total) }
    return codeOf(
      { origin: `${request.protocol}://${request.host}`, list: listOf(list), caller, query, ...answer },
      {
        definitions: await Promise.all(files.map(async (file) => [file, await text(file)] as const)),
        roles: isOwn ? roles.certificates : undefined
      }
    )
  })

  app.get('/demo/callers', { schema: { hide: true } }, async (_request, reply) => {
    reply.header('cache-control', 'no-store')
    return callers
  })
  await app.register(csvExport, { callers, listings })
  await app.register(insertion, { callers, listings, db })
}
