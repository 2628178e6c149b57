/** libSQL with the database in a file. */
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { type Dialect, Kysely } from 'kysely'
import type { Db } from '../support/databases.js'
import { newFolder } from '../support/private-server.mjs'
import { fill } from './data.js'
import type { Engine } from './engine.js'
import { installPackages } from './packages.js'

const packages = { '@libsql/client': '0.18.0', '@libsql/kysely-libsql': '0.4.1' }

interface LibsqlClient {
  createClient(options: { url: string }): { close(): void }
}
interface LibsqlKysely {
  LibsqlDialect: new (options: { client: unknown }) => Dialect
}

export const libsql: Engine = {
  name: 'libsql',
  isQuick: true,
  leaving: 'runs to its end',
  async start(scope, plain) {
    const folder = newFolder('libsql')
    scope.teardown(() => rmSync(folder, { recursive: true, force: true }))
    const load = await installPackages(scope, packages)
    const { createClient } = load('@libsql/client') as LibsqlClient
    const { LibsqlDialect } = load('@libsql/kysely-libsql') as LibsqlKysely
    const client = createClient({ url: `file:${join(folder, 'lists.db')}` })
    scope.teardown(() => client.close())
    const db: Db = new Kysely({ dialect: new LibsqlDialect({ client }) })
    await fill(db, 'sqlite', plain.data)
    return {
      title: `libSQL in a file (@libsql/client ${packages['@libsql/client']})`,
      db,
      plain: (await plain.sqlite()).db
    }
  }
}
