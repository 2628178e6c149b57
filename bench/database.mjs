/** The private MariaDB, and what it costs: rows read and CPU. */
import { readFileSync } from 'node:fs'
import { createConnection } from 'mysql2/promise'
import { startMariadb } from '../test/support/mariadb.mjs'

const name = 'bench'

/** Clock ticks in a second, of Linux on every machine that Node runs on. */
const ticks = 100

/**
 * Starts a MariaDB that holds the whole data set in memory.
 *
 * @param {number} scale
 */
export async function startDatabase(scale) {
  const server = await startMariadb()
  const connection = await createConnection({ uri: server.url, multipleStatements: true })
  const gigabyte = 2 ** 30
  const memory = Math.ceil((0.5 + 0.8 * scale) * 8) * (gigabyte / 8)
  await connection.query(`
    set global innodb_buffer_pool_size = ${memory};
    set global innodb_log_file_size = ${gigabyte};
    create database ${name} character set utf8mb4 collate utf8mb4_general_ci;
    use ${name}`)
  const pid = Number(readFileSync(await text(connection, 'select @@pid_file'), 'utf8'))
  const [before, after] = [await handlerReads(connection), await handlerReads(connection)]
  const ownReads = after - before

  return {
    url: `${server.url}/${name}`,
    connection,
    version: (await text(connection, 'select version()')).replace(/-.*/, ''),
    memory,

    /** Rows that were read since the server started, without those that asking for it reads. */
    async rowsRead() {
      const reads = await handlerReads(connection)
      asked++
      return reads - asked * ownReads
    },

    /** Milliseconds of CPU since the server started, user and system. */
    cpu() {
      const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').replace(/.*\) /s, '').split(' ')
      return ((Number(fields[11]) + Number(fields[12])) * 1000) / ticks
    },

    /** Ends the statements that nobody waits for any more. */
    async quiet() {
      for (;;) {
        const [rows] = /** @type {[{ id: number }[], unknown]} */ (
          /** @type {unknown} */ (
            await connection.query(
              "select id from information_schema.processlist where command in ('Query', 'Execute') and id <> connection_id()"
            )
          )
        )
        if (rows.length === 0) return
        for (const { id } of rows) await connection.query(`kill query ${id}`).catch(() => {})
        await new Promise((resolve) => setTimeout(resolve, 50))
      }
    },

    async stop() {
      // nobody will read it again
      await connection.query('set global innodb_fast_shutdown = 2')
      await connection.end()
      await server.stop()
    }
  }
}

/** @typedef {Awaited<ReturnType<typeof startDatabase>>} BenchDatabase */

let asked = 0

/** @param {import('mysql2/promise').Connection} connection */
async function handlerReads(connection) {
  const [rows] = /** @type {[{ Value: string }[], unknown]} */ (
    /** @type {unknown} */ (await connection.query("show global status like 'Handler_read%'"))
  )
  return rows.reduce((sum, { Value }) => sum + Number(Value), 0)
}

/**
 * @param {import('mysql2/promise').Connection} connection
 * @param {string} sql
 */
async function text(connection, sql) {
  const [[row]] = /** @type {[Record<string, string>[], unknown]} */ (
    /** @type {unknown} */ (await connection.query(sql))
  )
  return String(Object.values(row ?? {})[0])
}
