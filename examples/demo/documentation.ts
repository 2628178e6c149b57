/** The documentation of the repository, for reading: its Markdown as pages, and the files to which these link as they are. */
import { readdir, readFile } from 'node:fs/promises'
import type { FastifyInstance } from 'fastify'
import { marked } from 'marked'

const types: Record<string, string> = { svg: 'image/svg+xml', png: 'image/png' }

export async function documentation(app: FastifyInstance, { root }: { root: URL }): Promise<void> {
  const serve = (name: string, type: string, read = (file: URL): Promise<string | Buffer> => readFile(file)) =>
    app.get(`/${name}`, { schema: { hide: true } }, async (_request, reply) => {
      reply.header('cache-control', 'no-cache').type(type)
      return read(new URL(name, root))
    })
  const names = [
    'README.md',
    'CHANGELOG.md',
    'LICENSE',
    'test/ENGINES.md',
    'test/RELIABILITY.md',
    ...(await filesOf('docs', root)),
    ...(await filesOf('examples', root))
  ]
  for (const name of names) {
    const ending = name.replace(/.*\./, '')
    if (ending === 'md')
      serve(name, 'text/html; charset=utf-8', async (file) => pageOf(name, await readFile(file, 'utf8')))
    else serve(name, types[ending] ?? 'text/plain; charset=utf-8')
  }
}

/** The files in a folder that a page may show. */
async function filesOf(folder: string, root: URL): Promise<string[]> {
  const all = await readdir(new URL(`${folder}/`, root), { recursive: true })
  return all
    .filter((name) => /^(?!dist|page.*js).*\.(md|svg|png|ts|mjs)$/.test(name))
    .map((name) => `${folder}/${name}`)
}

function pageOf(name: string, text: string): string {
  const base = '../'.repeat(name.split('/').length - 1)
  const titles = new Map<string, number>()
  // an id for each title, as GitHub makes it: links lead to it
  const html = marked.parse(text, { async: false }).replace(/<h(\d)>(.*?)<\/h\1>/g, (_, level, title: string) => {
    const id = title
      .replace(/<[^>]*>|&#?\w+;/g, '')
      .toLowerCase()
      .replace(/[^\p{L}\p{N}_ -]/gu, '')
      .replaceAll(' ', '-')
    const before = titles.get(id) ?? 0
    titles.set(id, before + 1)
    return `<h${level} id="${id}${before ? `-${before}` : ''}">${title}</h${level}>`
  })
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${name} · fastify-assessment-payment-listing</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${base || './'}page/page.css">
<link rel="stylesheet" href="${base || './'}page/docs.css">
</head>
<body class="docs">
<nav aria-label="Documentation"><a href="${base || './'}">Demo</a> <a href="${base}README.md">README</a> <a href="${base}docs/README.md">All pages</a></nav>
<main>${html}</main>
</body>
</html>`
}
