/** MariaDB Spider: tables of one server that are read on another one. Spider loses the escape character of a search. */
import { join } from 'node:path'
import { type Kysely, sql } from 'kysely'
import type { Db } from '../support/databases.js'
import { startMariadb } from '../support/mariadb.mjs'
import { unpack } from '../support/private-server.mjs'
import { createMysqlDatabase, openMysql, versionOf } from './connect.js'
import type { Engine } from './engine.js'

const packages = ['mariadb-plugin-spider']
const otherwise = `The row of Spider needs Debian's package ${packages}.`

/** The tables of a server, as tables of Spider. */
async function linkTables(db: Db, server: Kysely<Record<string, Record<string, unknown>>>, url: URL): Promise<void> {
  const options = `host '${url.hostname}', port ${url.port}, user 'root', database 'lists'`
  await sql.raw(`create server data foreign data wrapper mysql options (${options})`).execute(db)
  for (const { name, isView } of await server.introspection.getTables()) {
    if (isView) continue
    const { rows } = await sql<Record<string, string>>`show create table ${sql.table(name)}`.execute(server)
    const definition = String(rows[0]?.['Create Table'])
    const link = `engine = spider comment = 'wrapper "mysql", srv "data", table "${name}"'`
    await sql.raw(definition.replace(/ENGINE=.*$/, link)).execute(db)
  }
}

export const spider: Engine = {
  name: 'spider',
  leaving: 'runs to its end',
  refused: /refused: .*(search|escape|like)/i,
  async start(scope, plain) {
    const { url, db: server } = await plain.mariadb()
    const plugins = join(unpack('spider', packages, otherwise), 'usr/lib/mysql/plugin')
    const head = await startMariadb([`--plugin-dir=${plugins}`, '--plugin-load-add=ha_spider.so'])
    scope.teardown(head.stop)
    const db = openMysql(scope, await createMysqlDatabase(head.url))
    await linkTables(db, server, new URL(url))
    return { title: `MariaDB Spider ${await versionOf(db)}`, db, plain: server }
  }
}
