/** The code behind an answer: the server, and each way to ask for the same. */
import type { PageList } from './lists.js'
import type { DemoCaller } from './page.js'

import { written } from './written.js'

interface Question {
  origin: string
  list: PageList
  caller: DemoCaller
  /** The query string of the question. */
  query: string
  /** What the answer was, for the test. */
  status: number
  total: number
}

interface Sources {
  definitions: (readonly [file: string, text: string])[]
  roles?: object | undefined
}

/** @param sources the text of the files that define the list, by their paths, and what the option `roles` has for it */
export function codeOf(question: Question, sources: Sources): Record<string, string> {
  const { origin, list, caller, query, status, total } = question
  const { userId, role, roles, token } = caller
  const path = query ? `${list.path}?${query}` : list.path
  const parameters = objectOf(question)
  return {
    Server: serverOf(list.name, sources),

    // nothing in it ends the quotes: neither a token nor an encoded address has a '
    curl: `curl -H 'Authorization: Bearer ${token}' '${origin}${path}'`,

    fetch: `const response = await fetch(${quoted(origin + path)}, {
  headers: { authorization: 'Bearer ${token}' }
})
const body = await response.json()
if (!response.ok) throw new Error(body.error)
const { total, ${list.items}: items } = body`,

    'Typed client': `// npx openapi-typescript ${origin}/docs/json --output lists.ts
import createClient from 'openapi-fetch'
import type { paths } from './lists.js'

const client = createClient<paths>({
  baseUrl: '${origin}',
  headers: { authorization: 'Bearer ${token}' }
})
const { data, error } = await client.GET('${list.path}', {
  params: { query: ${parameters} }
})
if (error) throw new Error(error.error)
const { total, ${list.items}: items } = data`,

    'listings.find': `const { items, total } = await listings.find('${list.name}', {
  caller: { userId: ${userId}, role: ${written(roles.length > 1 ? roles : roles[0])} },
  query: ${parameters}
})`,

    Test: `import assert from 'node:assert/strict'
import { test } from 'node:test'
import { buildServer } from './build-server.js' // Your own server.

test(${quoted(`${role}: ${list.name}`)}, async (t) => {
  const app = await buildServer()
  t.after(() => app.close())
  const authorization = \`Bearer \${app.jwt.sign({ sub: '${userId}' })}\`
  const response = await app.inject({ url: ${quoted(path)}, headers: { authorization } })
  assert.equal(response.statusCode, ${status})${status === 200 ? `\n  assert.equal(response.json().total, ${total})` : ''}
})`
  }
}

/** A whole server with the list, and then the definition of the list. */
function serverOf(name: string, { definitions, roles }: Sources): string {
  const texts = definitions.map(([file, text]) => {
    const definition = /^export const \w+ = \w+(?:\.extend)?\(\{$[\s\S]*?^\}\)$/m.exec(text)?.[0]
    // a file of the package imports other files of it
    const imports = roles ? (text.match(/^import (?!type).*$/gm) ?? []) : []
    return [`// ${file.replace('examples/', '')}`, ...imports, definition].join('\n')
  })
  const [imported, own, option] = roles
    ? ['', `import { ${name} } from './${name}.js'\n`, `\n    roles: ${written({ [name]: roles }, '    ')},`]
    : [`${name}, `, '', '']
  return `import jwt from '@fastify/jwt'
import Fastify from 'fastify'
import { ${imported}createListings, defineOptions } from 'fastify-assessment-payment-listing'
import { Kysely, MysqlDialect } from 'kysely'
import { createPool } from 'mysql2'
${own}
const db = new Kysely({ dialect: new MysqlDialect({ pool: createPool(process.env.DATABASE_URL) }) })
const app = Fastify()
await app.register(jwt, { secret: process.env.JWT_SECRET })

const listings = createListings(
  defineOptions({
    db,
    lists: [${name}],${option}
    // who is calling: from your own accounts
    async resolveRole({ user: { sub } }) {
      const member = await db.selectFrom('members').select('role').where('id', '=', sub).executeTakeFirst()
      return member ? { userId: sub, role: member.role } : null
    }
  })
)
await app.register(listings.plugin)
await app.listen({ port: 3000 })

${texts.join('\n\n')}`
}

const quoted = (text: string) => `'${JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`

/** The parameters as an object: whole numbers and booleans as plain values, several values as an array. */
function objectOf({ list, query }: Question): string {
  const given = new URLSearchParams(query)
  const entries = [...new Set(given.keys())].map((name) => {
    const filter = list.filters.find((filter) => filter.name === name)
    const isBoolean = filter?.values.includes('true')
    const isPlain = (isBoolean || filter?.kind === 'number' || ['page', 'limit', 'total'].includes(name)) ?? false
    const values = given
      .getAll(name)
      .map((value) => (isPlain && /^(true|false|-?\d+(\.\d+)?)$/.test(value) ? value : quoted(value)))
    return `${name}: ${filter?.kind === 'several' || name === 'counts' ? `[${values.join(', ')}]` : values.join()}`
  })
  return `{ ${entries.join(', ')} }`
}
