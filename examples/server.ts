/** Runs the demo: `npm start`, or `DATABASE_URL=mysql://… PORT=8080 npm start`. */
import { randomBytes } from 'node:crypto'
import { buildApp } from './app.js'
import { makeData } from './data.js'
import { openDatabase } from './database.js'
import { trialPage } from './page.js'
import { ensureFree, readSettings } from './settings.js'

let db: Awaited<ReturnType<typeof openDatabase>> | undefined
try {
  const { databaseUrl, port } = readSettings(process.env)
  await ensureFree(port)
  const data = makeData()
  db = await openDatabase(databaseUrl, data)
  const { app, callers } = await buildApp(db, data, randomBytes(32).toString('hex'))
  app.addHook('onClose', () => db?.destroy())
  await app.register(trialPage, { callers })
  const address = await app.listen({ host: '127.0.0.1', port })

  // before anything is printed: who reads the address may send a signal at once
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => {
      console.log('Stopping …')
      app.close().catch(fail)
    })
  }

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
} catch (error) {
  fail(error)
  await db?.destroy()
}

function fail(error: unknown): void {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
}
