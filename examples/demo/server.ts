/** The demo's server: the host of ../app.ts on the demo's database, Swagger UI, and the trial page. */
import { randomBytes } from 'node:crypto'
import swaggerUi from '@fastify/swagger-ui'
import Fastify from 'fastify'
import { addLists } from '../app.js'
import { makeData } from './data.js'
import { openDatabase } from './database.js'
import { type DemoCaller, demoPage } from './page.js'
import { logStatement, watchRequests } from './requests.js'
import { swaggerUiOptions } from './swagger.js'

/** What `./settings.mjs` reads. */
export interface Settings {
  databaseUrl?: string | undefined
  port: number
  /** The number of records. */
  rows?: number | undefined
}

/** Makes the server, which does not listen yet. */
export async function buildDemo({ databaseUrl, rows }: Omit<Settings, 'port'>, data = makeData(rows)) {
  const db = await openDatabase(databaseUrl, data, { rows, log: logStatement })
  // a browser opens connections ahead, which would keep the demo from ending
  const app = Fastify({ logger: { level: 'warn' }, forceCloseConnections: true })
  app.addHook('onClose', () => db.destroy())
  try {
    watchRequests(app)
    const listings = await addLists(app, db, data.accounts, randomBytes(32).toString('hex'))
    // as long as the demo runs, the page can ask
    const forLong = { expiresIn: '365d' }
    const callers = data.accounts.map(({ userId, roles }): DemoCaller => {
      const { first_name, last_name } = data.tables.users.find(({ user_id }) => user_id === userId) ?? {}
      const [name, role] = [`${first_name} ${last_name}`, roles.join(' and ')]
      return { name, role, roles, userId, token: app.jwt.sign({ sub: String(userId) }, forLong) }
    })
    await app.register(swaggerUi, swaggerUiOptions)
    await app.register(demoPage, { callers, listings, db })
    return { app, callers, listings, db }
  } catch (error) {
    await app.close()
    throw error
  }
}

/** Starts the server, and says how to use it. */
export async function serve({ port, ...settings }: Settings): Promise<void> {
  const { app, callers } = await buildDemo(settings)
  const fail = (error: unknown) => {
    console.error(error instanceof Error ? error.message : error)
    process.exitCode = 1
  }
  const address = await app.listen({ host: '127.0.0.1', port }).catch(async (error) => {
    await app.close()
    throw error
  })

  // before anything is printed: who reads the address may send a signal at once
  const stop = () => {
    clearInterval(watch)
    console.log('Stopping …')
    app.close().catch(fail)
  }
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, stop)
  // npm starts a shell, and some shells end without passing a signal on
  const parent = process.ppid
  const watch = setInterval(() => process.env.npm_lifecycle_event && process.ppid !== parent && stop(), 250).unref()

  console.log(`\nTrial page:   ${address}/`)
  console.log(`Listening on ${address}`)
  console.log(`Swagger UI:   ${address}/docs`)
  console.log(`OpenAPI:      ${address}/docs/json`)
  console.log(`Demo callers: ${address}/demo/callers\n`)
  console.table(callers.map(({ role, name, userId, token }) => ({ role, name, userId, token: `…${token.slice(-8)}` })))
  const admin = callers.find(({ role }) => role === 'Admin')
  console.log(
    `\nTry:\n  curl -H 'Authorization: Bearer ${admin?.token}' '${address}/assessment/list?search=an&limit=3'\n`
  )
}
