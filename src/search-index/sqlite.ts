/** The search index of SQLite: an FTS5 table with the tokenizer `trigram`. The rowid is the id. */
import { type Expression, type RawBuilder, sql } from 'kysely'
import type { ClientText } from '../database/dialect.js'
import type { Names, SearchIndexOptions, Session } from './options.js'

/** Marks the table as a search index, because a table of the host leaves the default out. */
const tokenizer = "tokenize = 'trigram case_sensitive 0'"

/** A trigram has three characters. */
export const finds = (text: string): boolean => [...text].length >= 3

const quoted = (name: string) => `"${name.replaceAll('"', '""')}"`

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
  const match = term.parameter((text) => `{${columns.map(quoted).join(' ')}} : ${quoted(text)}`)
  return sql`select s.rowid from ${index} as s where ${sql.ref(`s.${name}`)} match ${match}`
}

export async function createIndex(session: Session, options: SearchIndexOptions, names: Names): Promise<void> {
  await session.transaction().execute(async (db) => {
    const { table, index, qualified } = names
    const { id } = options
    await checkColumns(db, options, names)
    await dropIndex(db, names)
    const columns = sql.raw(options.columns.map(quoted).join(', '))
    await sql`create virtual table ${qualified(index)} using fts5(${columns}, ${sql.raw(tokenizer)})`.execute(db)
    for (const trigger of triggersOf(names, id, options.columns)) await sql.raw(trigger).execute(db)
    await sql`insert into ${qualified(index)} (rowid, ${columns})
      select ${sql.id(id)}, ${columns} from ${qualified(table)}`.execute(db)
  })
  options.onProgress?.({ left: 0 })
}

export async function dropIndex(session: Session, names: Names): Promise<void> {
  const { index, qualified } = names
  const { rows } = await sql<{ type: string; name: string; sql: string }>`select m.type, m.name, m.sql
    from ${master(names)} as m where m.name = ${index} or m.name in (${sql.join(triggerNames(index))})`.execute(session)
  for (const { type, name, sql: statement } of rows) {
    const isOwn = name === index ? indexedColumns(statement) : statement.includes(removal(index))
    if (!isOwn)
      throw new Error(`searchIndex: the ${type} ${name} exists and is not of a search index. Rename the ${type}.`)
    if (type === 'trigger') await sql`drop trigger ${qualified(name)}`.execute(session)
  }
  await sql`drop table if exists ${qualified(index)}`.execute(session)
}

type TableNames = Pick<Names, 'schema' | 'table' | 'index'>

const triggerNames = (index: string) => ['insert', 'update', 'delete'].map((event) => `${index}_${event}`)

const removal = (index: string) => `begin delete from ${quoted(index)} where rowid in (`

/** The statements of the triggers. SQLite keeps them without the schema, and changes them with the table. */
function triggersOf({ schema, table, index }: TableNames, id: string, columns: readonly string[]): string[] {
  const [oldId, newId] = [`old.${quoted(id)}`, `new.${quoted(id)}`]
  const isChanged = [id, ...columns].map((column) => `old.${quoted(column)} is not new.${quoted(column)}`).join(' or ')
  const texts = columns.map((column) => `new.${quoted(column)}`)
  const insert = `insert into ${quoted(index)} (rowid, ${columns.map(quoted).join(', ')}) values (${[newId, ...texts].join(', ')})`
  // `replace into` runs no trigger for the row that it deletes, so the index can have the id of a new row.
  const bodies = [
    `insert on ${quoted(table)} ${removal(index)}${newId}); ${insert}; end`,
    // Not `update of` the id, because `update … set rowid = 7` changes the id.
    `update on ${quoted(table)} when ${isChanged} ${removal(index)}${oldId}, ${newId}); ${insert}; end`,
    `delete on ${quoted(table)} ${removal(index)}${oldId}); end`
  ]
  const prefix = schema === undefined ? '' : `${quoted(schema)}.`
  return triggerNames(index).map((name, number) => `CREATE TRIGGER ${prefix}${quoted(name)} after ${bodies[number]}`)
}

const master = ({ schema }: Pick<Names, 'schema'>) => sql.id(schema ?? 'main', 'sqlite_master')

/** The SQL of the index table, or null. */
export const definitionOf = (names: TableNames) =>
  sql`(select m.sql from ${master(names)} as m where m.type = 'table' and m.name = ${names.index})`

/** Whether the table has the triggers of the index. */
export const hasTriggers = (names: TableNames, id: string, columns: readonly string[]) =>
  sql`(select count(*) = 3 from ${master(names)} as m
    where m.type = 'trigger' and m.sql in (${sql.join(triggersOf({ ...names, schema: undefined }, id, columns))}))`

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
