/** PGlite, a PostgreSQL inside the process. */
import { Kysely, PGliteDialect, type PGliteDialectConfig } from 'kysely'
import type { Db } from '../support/databases.js'
import { createTables } from '../support/world.js'
import { versionOf } from './connect.js'
import { createSlowPayments, writeRows } from './data.js'
import type { Engine } from './engine.js'
import { installPackages } from './packages.js'

const version = '0.5.16'

export const pglite: Engine = {
  name: 'pglite',
  leaving: 'runs to its end',
  async start(scope, plain) {
    const load = await installPackages(scope, { '@electric-sql/pglite': version })
    const { PGlite } = load('@electric-sql/pglite') as { PGlite: new () => PGliteDialectConfig['pglite'] }
    const db: Db = new Kysely({ dialect: new PGliteDialect({ pglite: new PGlite() }) })
    scope.teardown(() => db.destroy())
    await createTables(db)
    await createSlowPayments(db, 'postgres', '(select count(*) from generate_series(1, 8000000)) > 0')
    await writeRows(db, 'postgres', plain.data)
    return {
      title: `PGlite ${version} (PostgreSQL ${await versionOf(db)})`,
      db,
      plain: (await plain.postgres()).db
    }
  }
}
