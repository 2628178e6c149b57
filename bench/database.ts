/** The private MariaDB, and what it costs: rows read and CPU. */
import { readFileSync } from 'node:fs'
import { createConnection, type RowDataPacket } from 'mysql2/promise'
import { startMariadb } from '../test/support/servers/mysql.mjs'

const name = 'bench'

/** Clock ticks in a second, of Linux on every machine that Node runs on. */
const ticks = 100

/** Starts a MariaDB that holds the whole data set in memory. */
export async function startDatabase(scale: number) {
  const server = await startMariadb()
  const connection = await createConnection({ uri: server.url, multipleStatements: true })
  const gigabyte = 2 ** 30
  const memory = Math.ceil((0.5 + 0.8 * scale) * 8) * (gigabyte / 8)
  await connection.query(`
    set global innodb_buffer_pool_size = ${memory};
    set global innodb_log_file_size = ${gigabyte};
    create database ${name} character set utf8mb4 collate utf8mb4_general_ci;
    use ${name}`)
  const rows = async (sql: string) => {
    const [found] = await connection.query<RowDataPacket[]>(sql)
    return found
  }
  const handlerReads = async () =>
    (await rows("show global status like 'Handler_read%'")).reduce((sum, { Value }) => sum + Number(Value), 0)

  const [started] = await rows('select @@pid_file as pidFile, version() as version')
  const pid = Number(readFileSync(started?.pidFile, 'utf8'))
  const [before, after] = [await handlerReads(), await handlerReads()]
  let asked = 0

  return {
    url: `${server.url}/${name}`,
    connection,
    rows,
    version: started?.version.replace(/-.*/, ''),
    memory,

    /** Rows that were read since the server started, without those that asking for it reads. */
    async rowsRead() {
      const reads = await handlerReads()
      asked++
      return reads - asked * (after - before)
    },

    /** Milliseconds of CPU since the server started, user and system. */
    cpu() {
      const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').replace(/.*\) /s, '').split(' ')
      return ((Number(fields[11]) + Number(fields[12])) * 1000) / ticks
    },

    /** Ends the statements that nobody waits for any more. */
    async quiet() {
      const running =
        "select id from information_schema.processlist where command in ('Query', 'Execute') and id <> connection_id()"
      for (let left = await rows(running); left.length > 0; left = await rows(running)) {
        for (const { id } of left) await connection.query(`kill query ${id}`).catch(() => {})
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

export type BenchDatabase = Awaited<ReturnType<typeof startDatabase>>
