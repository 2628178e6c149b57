/** Suggests a trigram index on PostgreSQL for many users. */
import { sql } from 'kysely'
import { textOf } from '../database/driver-samples.js'
import type { CheckedDatabase } from './database.js'
import { type DatabaseFinding, finding } from './finding.js'
import type { KnownColumn } from './known-columns.js'

/** From this number of users on, a search that reads all users takes more than about 20 ms. */
const manyUsers = 50_000

/** A search of all records uses the index only if every searched column has one, under the default collation. */
export async function checkTrigramIndex(
  { dialect, db, lists, attempt }: CheckedDatabase,
  known: readonly KnownColumn[]
): Promise<DatabaseFinding[]> {
  const searched = new Set(lists.flatMap(({ search }) => search.users))
  const columns = known.filter(({ tableName, name }) => tableName === 'users' && searched.has(`u.${name}`))
  const [first] = columns
  const isOneTable = columns.every(({ catalog }) => catalog === first?.catalog)
  if (dialect.name !== 'postgres' || !first || !isOneTable || columns.length < searched.size) return []
  const table = first.schema === undefined ? sql.id(first.table) : sql.id(first.schema, first.table)
  // An engine with the protocol of PostgreSQL may lack a part of the catalog.
  const rows = await attempt(
    'the trigram index of the users',
    sql`
    select a.attname::text as name,
      a.attcollation = 100 and a.atttypid in ('text'::regtype, 'varchar'::regtype) as is_plain,
      exists (
        select from pg_index as i
          cross join lateral unnest(i.indkey::int[], i.indclass::oid[]) as k (attnum, class)
          inner join pg_opclass as o on o.oid = k.class
        where i.indrelid = c.oid and i.indisvalid and i.indpred is null and k.attnum = a.attnum
          and o.opcname in ('gin_trgm_ops', 'gist_trgm_ops')
      ) as is_indexed
    from pg_class as c inner join pg_attribute as a on a.attrelid = c.oid
    where c.oid = to_regclass(${table.compile(db).sql}) and c.relkind in ('r', 'm')
      and c.reltuples >= ${sql.lit(manyUsers)} and a.attname in (${sql.join(columns.map(({ column }) => column))})
    order by a.attnum`
  )
  const missing = rows?.filter(({ is_indexed }) => is_indexed !== true) ?? []
  if (missing.length === 0 || !rows?.every(({ is_plain }) => is_plain === true)) return []
  const parts = missing.map(({ name }) => sql`${sql.id(String(textOf(name)))} gin_trgm_ops`)
  const index = sql`create index ${sql.id(`${first.table}_search`)} on ${table} using gin (${sql.join(parts)})`
  return [finding('warning', 'indexes', `create extension if not exists pg_trgm; ${index.compile(db).sql};`)]
}
