/** SQLite inside the process, nothing to compile: node-sqlite3-wasm in the shape that Kysely's dialect asks for. */
import { type SqliteDatabase, SqliteDialect, type SqliteStatement } from 'kysely'
import wasm from 'node-sqlite3-wasm'

/** A Kysely dialect for a SQLite file, or for a database in memory. */
export function sqlite(file = ':memory:'): SqliteDialect {
  const database = new wasm.Database(file)
  const prepare = (sql: string): SqliteStatement => ({
    reader: /^\s*(select|with|pragma|explain)\b/i.test(sql),
    all: (parameters) => database.all(sql, [...parameters] as wasm.JSValue[]),
    run: (parameters) => database.run(sql, [...parameters] as wasm.JSValue[]),
    iterate: () => {
      throw new Error('Streaming is not needed here.')
    }
  })
  return new SqliteDialect({ database: { prepare, close: () => database.close() } satisfies SqliteDatabase })
}
