/** Every engine of the run. A new engine is a file, and a line here. */
import type { Engine } from './engine.js'
import { galera } from './galera.js'
import { libsql } from './libsql.js'
import { mysqlPartitions } from './mysql-partitions.js'
import { mysqlReplica } from './mysql-replica.js'
import { pgbouncerStatement, pgbouncerTransaction } from './pgbouncer.js'
import { pglite } from './pglite.js'
import { pgpool } from './pgpool.js'
import { postgresShards } from './postgres-shards.js'
import { spider } from './spider.js'

export const engines: readonly Engine[] = [
  postgresShards,
  pgbouncerTransaction,
  pgbouncerStatement,
  pglite,
  libsql,
  mysqlPartitions,
  mysqlReplica,
  galera,
  spider,
  pgpool
]
