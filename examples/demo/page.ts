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
import type { addLists } from '../app.js'
import { csvExport } from './export.js'
import { insertion } from './insert.js'

/** Somebody to try the lists as. */
export interface DemoCaller {
  name: string
  role: string
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
  html: 'text/html',
  css: 'text/css',
  js: 'text/javascript',
  md: 'text/plain',
  ts: 'text/plain'
}

/** Only our own files run or load, and no text can become HTML, not even by a mistake in them. */
const directives = {
  'default-src': "'none'",
  'script-src': "'self'",
  'style-src': "'self'",
  'connect-src': "'self'",
  'img-src': 'data:',
  'base-uri': "'none'",
  // the export
  'form-action': "'self'",
  'frame-ancestors': "'none'",
  'require-trusted-types-for': "'script'",
  'trusted-types': "'none'"
}

export async function demoPage(app: FastifyInstance, { callers, listings, db }: Demo): Promise<void> {
  await app.register(helmet, { contentSecurityPolicy: { useDefaults: false, directives } })

  const serve = (path: string, file: URL) =>
    app.get(path, { schema: { hide: true } }, async (_request, reply) => {
      reply.header('cache-control', 'no-cache').type(`${types[file.href.replace(/.*\./, '')]}; charset=utf-8`)
      return readFile(file)
    })
  serve('/', new URL('index.html', folder))
  for (const name of await readdir(folder)) {
    if (/\.(css|js)$/.test(name)) serve(`/page/${name}`, new URL(name, folder))
  }
  // the documentation, and the code that the page shows, as they are in the repository
  serve('/README.md', new URL('README.md', root))
  for (const name of await readdir(new URL('docs/', root))) {
    if (name.endsWith('.md')) serve(`/docs/${name}`, new URL(`docs/${name}`, root))
  }
  serve('/demo/code/app', new URL('examples/app.ts', root))
  serve('/demo/code/assessments', new URL('src/lists/assessments.ts', root))
  serve('/demo/code/payments', new URL('src/lists/payments.ts', root))
  serve('/demo/code/certificates', new URL('examples/certificates.ts', root))

  app.get('/demo/callers', { schema: { hide: true } }, async (_request, reply) => {
    reply.header('cache-control', 'no-store')
    return callers
  })
  await app.register(csvExport, { callers, listings })
  await app.register(insertion, { callers, listings, db })
}
