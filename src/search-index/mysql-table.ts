/** Creates and drops a search index of MySQL and MariaDB. */
import { sql } from 'kysely'
import { mysql } from '../database/dialects/mysql.js'
import { type Column, checkTable, isExactCollation } from './mysql-checks.js'
import { fill } from './mysql-fill.js'
import { commentOf, type IndexDescription, indexColumns, isComplete, isOwnComment, versionOf } from './mysql-keys.js'
import { isOwnBody, triggerBody, triggerEvents, triggerName } from './mysql-triggers.js'
import type { Names, SearchIndexOptions, Session } from './options.js'

export async function createIndex(session: Session, options: SearchIndexOptions, names: Names): Promise<void> {
  await withSettings(session, async () => {
    const { table, index, qualified } = names
    const columns = await checkTable(session, options, names)
    const description = await describe(session, options, names, columns)
    const comment = commentOf(description)
    const version = versionOf(comment)
    // No table, another column or another collation.
    if ((await existingComment(session, names)) !== comment) await drop(session, names)
    const indexTable = qualified(index)
    await sql`create table if not exists ${indexTable} (${indexColumns(description.isTextId)})
      engine = InnoDB comment ${sql.lit(comment)}`.execute(session)

    const triggers = await existingTriggers(session, names)
    const missing = triggerEvents.filter((event) => !triggers.get(triggerName(table, event))?.includes(version))
    // Rows were written without the trigger, so the fill starts again.
    if (missing.length > 0) await sql`delete from ${indexTable} where place = 0`.execute(session)
    for (const event of missing) {
      await sql`drop trigger if exists ${qualified(triggerName(table, event))}`.execute(session)
      await sql`create trigger ${qualified(triggerName(table, event))} after ${sql.raw(event)} on ${qualified(table)}
        for each row ${triggerBody(event, { index: indexTable, table: qualified(table), version }, description)}`.execute(
        session
      )
    }

    const { rows: states } = await isComplete(indexTable, version).execute(session)
    if (states.length > 0) return
    // The rows of a piece pass through a table that has the same trigger.
    const piece = qualified(`${index}_piece`)
    const definitions = columns.map(({ name, type, charset, collation }) => {
      const character = charset === null ? sql`` : sql.raw(` character set ${charset} collate ${collation}`)
      return sql`${sql.id(name)} ${sql.raw(type)}${character}`
    })
    await sql`drop table if exists ${piece}`.execute(session)
    await sql`create table ${piece} (${sql.join(definitions)}, primary key (${sql.id(options.id)})) engine = InnoDB
      comment ${sql.lit(comment)}`.execute(session)
    await sql`create trigger ${qualified(triggerName(table, 'piece'))} after insert on ${piece} for each row
      ${triggerBody('insert', { index: indexTable, table: piece, version }, description)}`.execute(session)
    const { isTextId } = description
    await fill({ session, options, table: qualified(table), index: indexTable, piece, isTextId, version })
    await sql`drop table ${piece}`.execute(session)
  })
}

export const dropIndex = (session: Session, names: Names): Promise<void> =>
  withSettings(session, () => drop(session, names))

async function drop(session: Session, names: Names): Promise<void> {
  const { index, qualified } = names
  await existingComment(session, names)
  for (const trigger of (await existingTriggers(session, names)).keys()) {
    await sql`drop trigger if exists ${qualified(trigger)}`.execute(session)
  }
  await sql`drop table if exists ${qualified(`${index}_piece`)}, ${qualified(index)}`.execute(session)
}

const lockWaitTimeout = 1205

/** With a mode such as ORACLE, the body of a trigger is a syntax error, and `''` is null. A trigger keeps its mode. */
async function withSettings(session: Session, run: () => Promise<void>): Promise<void> {
  const { rows } = await sql<{ mode: string; safe: unknown; wait: unknown }>`
    select @@sql_mode as mode, @@sql_safe_updates as safe, @@lock_wait_timeout as wait`.execute(session)
  const set = (mode: unknown, safe: unknown, wait: unknown) =>
    sql`set session sql_mode = ${mode}, session sql_safe_updates = ${Number(safe)}, session lock_wait_timeout = ${Number(wait)}`.execute(
      session
    )
  // The statements of the application wait behind a `create trigger` that waits for a transaction.
  await set('', 0, 2)
  const reset = () => set(rows[0]?.mode, rows[0]?.safe, rows[0]?.wait)
  try {
    await run()
  } catch (error) {
    // The error may be that the connection is gone.
    await reset().catch(() => undefined)
    if ((error as { errno?: number }).errno !== lockWaitTimeout) throw error
    throw new Error('searchIndex: a transaction uses the table. Run the migration again after the transaction.', {
      cause: error
    })
  }
  await reset()
}

/**
 * @returns the comment of the index table, or undefined if there is no table
 * @throws if the table is no search index
 */
async function existingComment(session: Session, { schema, index }: Names): Promise<string | undefined> {
  const { rows } = await sql<{ name: string; comment: string }>`
    select table_name as name, table_comment as comment from information_schema.tables
    where table_schema = ${schema ?? sql`database()`} and table_name in (${index}, ${`${index}_piece`})`.execute(
    session
  )
  for (const { name, comment } of rows) {
    if (!isOwnComment(comment))
      throw new Error(`searchIndex: the table ${name} exists and is not of a search index. Rename the table.`)
  }
  return rows.find(({ name }) => name === index)?.comment
}

/**
 * @returns the bodies of the triggers of the index, by name
 * @throws if the host has a trigger of such a name
 */
async function existingTriggers(session: Session, { schema, table }: Names): Promise<Map<string, string>> {
  const triggers = sql.join(triggerEvents.map((event) => triggerName(table, event)))
  const { rows } = await sql<{ name: string; body: string }>`
    select trigger_name as name, action_statement as body from information_schema.triggers
    where trigger_schema = ${schema ?? sql`database()`} and trigger_name in (${triggers})`.execute(session)
  const foreign = rows.find(({ body }) => !isOwnBody(body))
  if (foreign)
    throw new Error(`searchIndex: the trigger ${foreign.name} exists and is not of a search index. Rename the trigger.`)
  return new Map(rows.map(({ name, body }) => [name, body]))
}

async function describe(
  session: Session,
  { table: name }: SearchIndexOptions,
  { table }: Names,
  [id, ...searched]: [Column, ...Column[]]
): Promise<Omit<IndexDescription, 'format'>> {
  const columns = []
  for (const { name: column, collation } of searched) {
    const indexed = { name: column, collation: String(collation) }
    const sensitive = mysql.letterCase?.isSensitive(sql`_utf8mb4 X'61' collate ${sql.id(indexed.collation)}`)
    const { rows } = await sql<{ answer: unknown }>`select ${sensitive} as answer`.execute(session)
    const isSensitive = Number(rows[0]?.answer) === 1
    if (!(await isExactCollation(session, { ...indexed, isSensitive })))
      throw new Error(
        `searchIndex: ${name}.${column} has the collation ${collation}, which a search index does not support.`
      )
    columns.push({ ...indexed, isSensitive })
  }
  return { table, id: id.name, isTextId: id.charset !== null, columns }
}
