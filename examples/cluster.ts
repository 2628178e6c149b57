/**
 * One Kysely over all nodes of a MariaDB Galera cluster. Statements go to the nodes in turn, but not to one that
 * is dead, that has lost the others, or that another one copies.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { Kysely, MysqlDialect, type MysqlPool } from 'kysely'
import { type Connection, createConnection, createPool, type PoolOptions, type RowDataPacket } from 'mysql2'

export function openCluster<DB>(nodes: PoolOptions[]): Kysely<DB> {
  // Kysely stops a statement through a connection of its own to the same node. Through the pool it could be any
  // node, and there the number of the session is somebody else's.
  return new Kysely<DB>({ dialect: new MysqlDialect({ pool: poolOf(nodes), controlConnection: createConnection }) })
}

/** What Kysely needs of a pool. mysql2's pool cluster would do, if it knew of nodes that are up and not synced. */
function poolOf(options: PoolOptions[]): MysqlPool {
  const nodes = options.map(watchedNode)
  let turn = 0
  return {
    getConnection(callback) {
      const first = turn++ % nodes.length
      const inTurn = [...nodes.slice(first), ...nodes.slice(0, first)].sort((a, b) => a.rank - b.rank)
      const ask = ([node, ...others]: typeof nodes) =>
        node?.pool.getConnection((error, connection) => {
          if (error) node.rank = ranks.silent
          if (error && others.length > 0) ask(others)
          else callback(error, connection)
        })
      ask(inTurn)
    },
    end(callback) {
      Promise.all(nodes.map((node) => node.close())).then(() => callback(null), callback)
    }
  }
}

/** In which order nodes are taken, by what they last said. */
const ranks = { synced: 0, silent: 1, notSynced: 2 }

/** A node is asked so often, in milliseconds, and may take so long for an answer. */
const interval = 500

const isSynced = `select 1 from information_schema.global_status
  where variable_name = 'wsrep_local_state' and variable_value = '4' and @@wsrep_reject_queries = 'NONE'`

/** A node with its pool, which is asked all the time whether it is synced. */
function watchedNode(options: PoolOptions) {
  const pool = createPool(options)
  let connection: Connection | undefined
  let closed = false
  const look = async () => {
    try {
      connection ??= connect({ ...options, connectTimeout: interval })
      const [rows] = await connection.promise().query<RowDataPacket[]>({ sql: isSynced, timeout: interval })
      return rows.length > 0 ? ranks.synced : ranks.notSynced
    } catch {
      connection?.destroy()
      connection = undefined
      return ranks.silent
    }
  }
  const watch = async () => {
    while (!closed) {
      node.rank = await look()
      await sleep(interval, undefined, { ref: false })
    }
  }
  const close = () => {
    closed = true
    connection?.destroy()
    return pool.promise().end()
  }
  const node = { pool, rank: ranks.synced, close }
  void watch()
  return node
}

function connect(options: PoolOptions): Connection {
  const connection = createConnection(options)
  // a statement hears of it as well, and the next one too
  connection.on('error', () => undefined)
  return connection
}
