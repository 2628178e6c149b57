/**
 * One Kysely instance over all nodes of a MariaDB Galera cluster. Statements go to the nodes in turn, but not to a node
 * that is dead, that has lost the other nodes, or that another node copies.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { Kysely, MysqlDialect, type MysqlPool } from 'kysely'
import { type Connection, createConnection, createPool, type PoolOptions, type RowDataPacket } from 'mysql2'

export function openCluster<DB>(nodes: PoolOptions[]): Kysely<DB> {
  // Kysely stops a statement through a control connection to the same node. The pool could lead to another node, where
  // the number of the session belongs to another session.
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

/** The order in which nodes are used, by their last answer. */
const ranks = { synced: 0, silent: 1, notSynced: 2 }

/** Milliseconds between two questions to a node, and the longest wait for an answer. */
const interval = 500

const isSynced = `select 1 from information_schema.global_status
  where variable_name = 'wsrep_local_state' and variable_value = '4' and @@wsrep_reject_queries = 'NONE'`

/** A node with its pool. A second connection asks again and again whether the node is synced. */
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
  // The running statement fails with the same error, and so does the next statement.
  connection.on('error', () => undefined)
  return connection
}
