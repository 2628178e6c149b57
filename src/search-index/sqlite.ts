/** The search index of SQLite: an FTS5 table with the tokenizer `trigram`. The rowid is the id. */
import { type Expression, type RawBuilder, sql } from 'kysely'
import type { ClientText } from '../database/dialect.js'
import type { Names, SearchIndexOptions, Session } from './options.js'

/** Marks the table as a search index, because a table of the host leaves the default out. */
const tokenizer = "tokenize = 'trigram case_sensitive 0'"

/** A trigram has three characters. */
export const finds = (text: string): boolean => [...text].length >= 3

/**
 * The ids of the texts that probably contain the term:
 *
 *     select s.rowid from users_search as s where s.users_search match '{"first_name" "email"} : "term"'
 */
export function candidates(
  index: Expression<unknown>,
  name: string,
  columns: readonly string[],
  term: ClientText
): RawBuilder<unknown> {
  const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`
  const match = term.parameter((text) => `{${columns.map(quoted).join(' ')}} : ${quoted(text)}`)
  return sql`select s.rowid from ${index} as s where ${sql.ref(`s.${name}`)} match ${match}`
}

export async function createIndex(session: Session, options: SearchIndexOptions, names: Names): Promise<void> {
  await session.transaction().execute(async (db) => {
    const { table, index, qualified } = names
    await checkColumns(db, options, names)
    await dropIndex(db, names)
    const columns = sql.join(options.columns.map((column) => sql.id(column)))
    await sql`create virtual table ${qualified(index)} using fts5(${columns}, ${sql.raw(tokenizer)})`.execute(db)
    const { id } = options
    // A trigger names a table without its schema.
    const remove = (row: string) => sql`delete from ${sql.id(index)} where rowid = ${sql.ref(`${row}.${id}`)};`
    const values = sql.join([id, ...options.columns].map((column) => sql.ref(`new.${column}`)))
    // `replace into` runs no trigger for the row that it deletes, so the index can have the id of a new row.
    const add = sql`${remove('new')} insert into ${sql.id(index)} (rowid, ${columns}) values (${values});`
    // `update … set rowid = 7` changes the id, and is no `update of` the id.
    const isChanged = sql.join(
      [id, ...options.columns].map((column) => sql`${sql.ref(`old.${column}`)} is not ${sql.ref(`new.${column}`)}`),
      sql` or `
    )
    const triggers: [event: string, when: RawBuilder<unknown>, statements: RawBuilder<unknown>][] = [
      ['insert', sql``, add],
      ['update', sql`when ${isChanged}`, sql`${remove('old')} ${add}`],
      ['delete', sql``, remove('old')]
    ]
    for (const [event, when, statements] of triggers) {
      await sql`create trigger ${qualified(`${index}_${event}`)} after ${sql.raw(event)} on ${sql.id(table)} ${when}
        begin ${statements} end`.execute(db)
    }
    await sql`insert into ${qualified(index)} (rowid, ${columns})
      select ${sql.id(id)}, ${columns} from ${qualified(table)}`.execute(db)
  })
  options.onProgress?.({ left: 0 })
}

export async function dropIndex(session: Session, names: Names): Promise<void> {
  const { index, qualified } = names
  const state = stateCells(names, '')
  const { rows } = await sql<{ definition: string | null }>`select ${state.definition} as definition`.execute(session)
  const definition = rows[0]?.definition
  if (typeof definition === 'string' && !indexedColumns(definition))
    throw new Error(`searchIndex: the table ${index} exists and is no search index. Rename the table.`)
  const { rows: triggers } = await sql<{ name: string; sql: string }>`select m.name, m.sql from ${master(names)} as m
    where m.type = 'trigger' and m.name in (${sql.join(triggersOf(index))})`.execute(session)
  for (const { name, sql: statement } of triggers) {
    if (!statement.includes(`begin delete from "${index}" where rowid = "`))
      throw new Error(`searchIndex: the trigger ${name} exists and is not of a search index. Rename the trigger.`)
    await sql`drop trigger ${qualified(name)}`.execute(session)
  }
  await sql`drop table if exists ${qualified(index)}`.execute(session)
}

const master = ({ schema }: Pick<Names, 'schema'>) => sql.id(schema ?? 'main', 'sqlite_master')

const triggersOf = (index: string) => ['insert', 'update', 'delete'].map((event) => `${index}_${event}`)
export const triggerCount = 3

/** The SQL of the index table, or null, and the number of triggers that write the ids of the column. */
export function stateCells({ schema, table, index }: Pick<Names, 'schema' | 'table' | 'index'>, id: string) {
  return {
    definition: sql`(select m.sql from ${master({ schema })} as m where m.type = 'table' and m.name = ${index})`,
    triggers: sql`(select count(*) from ${master({ schema })} as m where m.type = 'trigger' and m.tbl_name = ${table}
      and m.name in (${sql.join(triggersOf(index))}) and instr(m.sql, ${`rowid = "old"."${id}"`}) + instr(m.sql, ${`rowid = "new"."${id}"`}) > 0)`
  }
}

/** @returns the columns of the index, or undefined if the table is no search index */
export function indexedColumns(definition: string): string[] | undefined {
  const [start, end] = ['using fts5("', `", ${tokenizer})`]
  return definition.includes(start) && definition.endsWith(end)
    ? definition.slice(definition.indexOf(start) + start.length, -end.length).split('", "')
    : undefined
}

async function checkColumns(
  session: Session,
  { table: name, id, columns }: SearchIndexOptions,
  { schema, table }: Names
): Promise<void> {
  const { rows } = await sql<{ name: string; type: string; pk: number }>`
    select name, type, pk from pragma_table_info(${table}, ${schema ?? 'main'})`.execute(session)
  for (const column of [id, ...columns]) {
    if (!rows.some((row) => row.name === column)) throw new Error(`searchIndex: ${name} lacks the column ${column}.`)
  }
  const keys = rows.filter(({ pk }) => pk > 0)
  if (keys.length > 1 || keys[0]?.name !== id || keys[0].type.toLowerCase() !== 'integer') {
    throw new Error(`searchIndex: ${name}.${id} must be an \`integer primary key\`.`)
  }
}
