/** Databases inside the process: PGlite and libSQL, whose packages only this run installs. */
import { rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { type Dialect, PGliteDialect, type PGliteDialectConfig } from 'kysely'
import { install } from '../matrix/tarball.js'
import { opened, type Scope } from '../support/servers/pools.js'
import { newFolder } from '../support/servers/private-server.mjs'
import { fill } from './data.js'
import type { Engine } from './engine.js'
import { versionOf } from './plain.js'

/** Installs packages into a temporary folder. @returns the folder, and a function that loads a package from it */
async function installPackages(scope: Scope, packages: Record<string, string>) {
  const folder = newFolder('packages')
  scope.teardown(() => rmSync(folder, { recursive: true, force: true }))
  await install(folder, packages)
  return { folder, load: createRequire(join(folder, 'package.json')) }
}

const pgliteVersion = '0.5.16'

export const pglite: Engine = {
  name: 'pglite',
  leaving: 'runs to its end',
  async start(scope, plain) {
    const { load } = await installPackages(scope, { '@electric-sql/pglite': pgliteVersion })
    const { PGlite } = load('@electric-sql/pglite') as { PGlite: new () => PGliteDialectConfig['pglite'] }
    const db = opened(scope, new PGliteDialect({ pglite: new PGlite() }))
    await fill(db, 'postgres', plain.data, '(select count(*) from generate_series(1, 8000000)) > 0')
    return {
      title: `PGlite ${pgliteVersion} (PostgreSQL ${await versionOf(db)})`,
      db,
      plain: (await plain.postgres()).db
    }
  }
}

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
    const { folder, load } = await installPackages(scope, packages)
    const { createClient } = load('@libsql/client') as LibsqlClient
    const { LibsqlDialect } = load('@libsql/kysely-libsql') as LibsqlKysely
    const client = createClient({ url: `file:${join(folder, 'lists.db')}` })
    scope.teardown(() => client.close())
    const db = opened(scope, new LibsqlDialect({ client }))
    await fill(db, 'sqlite', plain.data)
    return {
      title: `libSQL in a file (@libsql/client ${packages['@libsql/client']})`,
      db,
      plain: (await plain.sqlite()).db
    }
  }
}
