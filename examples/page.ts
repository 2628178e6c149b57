/**
 * The demo's trial page, at `/`: both lists in a table, from the files of ./page. It gives the tokens of all
 * demo callers to everybody who asks: right for invented people, a secret that ends with the process and a
 * server that only this machine reaches, and for nothing else. Do not take it over into a server of yours,
 * where a token is for those who have signed in; ./app.ts is the part to copy.
 */
import { readdir, readFile } from 'node:fs/promises'
import helmet from '@fastify/helmet'
import type { FastifyInstance } from 'fastify'
import type { DemoCaller } from './app.js'

/** Seen from the built file. */
const folder = new URL('../page/', import.meta.url)
const types: Record<string, string> = { html: 'text/html', css: 'text/css', js: 'text/javascript' }

/** Only our own files run or load, and no text can become HTML, not even by a mistake in them. */
const directives = {
  'default-src': "'none'",
  'script-src': "'self'",
  'style-src': "'self'",
  'connect-src': "'self'",
  'img-src': 'data:',
  'base-uri': "'none'",
  'form-action': "'none'",
  'frame-ancestors': "'none'",
  'require-trusted-types-for': "'script'",
  'trusted-types': "'none'"
}

export async function trialPage(app: FastifyInstance, { callers }: { callers: DemoCaller[] }): Promise<void> {
  await app.register(helmet, { contentSecurityPolicy: { useDefaults: false, directives } })

  const serve = (path: string, name: string) =>
    app.get(path, { schema: { hide: true } }, async (_request, reply) => {
      reply.header('cache-control', 'no-cache').type(`${types[name.replace(/.*\./, '')]}; charset=utf-8`)
      return readFile(new URL(name, folder))
    })
  serve('/', 'index.html')
  for (const name of await readdir(folder)) {
    if (/\.(css|js)$/.test(name)) serve(`/page/${name}`, name)
  }

  app.get('/demo/callers', { schema: { hide: true } }, async (_request, reply) => {
    reply.header('cache-control', 'no-store')
    return callers
  })
}
