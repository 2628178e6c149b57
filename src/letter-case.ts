/**
 * Which of a list's searched columns count the case of letters. Most do not, and a plain `like` is the
 * fastest; a case-sensitive or a Turkish collation needs more to find `jane` in `JANE` (contract B7).
 */
import { type RawBuilder, sql } from 'kysely'
import { type Reading, type Row, searchedColumns } from './plan.js'
import type { Source } from './source.js'

/** Runs a query of the source. */
export type Run = (query: RawBuilder<Row>) => Promise<Row[]>

/** The columns by name, as `u.email`. A source is asked once; when that fails, the next request asks again. */
export type CountingCase = (source: Source, run: Run) => Promise<ReadonlySet<string>>

export function caseCounting({ records, search }: Reading): CountingCase {
  const known = new WeakMap<Source, Promise<ReadonlySet<string>>>()
  const columns = searchedColumns(search).flat()

  return (source, run) => {
    const asked = known.get(source) ?? ask(source, run)
    known.set(source, asked)
    asked.catch(() => known.delete(source))
    return asked
  }

  /** `select <counts case> as `u.email` from (select 1) as one left join (users) as u on 1 = 0 …`: reads no row. */
  async function ask({ dialect, relation }: Source, run: Run): Promise<ReadonlySet<string>> {
    const { letterCase } = dialect
    if (!letterCase) return new Set()
    const cells = columns.map((column) => sql`${letterCase.counts(sql.ref(column))} as ${sql.id(column)}`)
    const [row] = await run(sql`select ${sql.join(cells)} from (select 1 as one) as one
      left join ${relation(records)} as r on 1 = 0 left join ${relation('users')} as u on 1 = 0`)
    // an answer that the driver has garbled counts: then more is looked for, never less
    return new Set(columns.filter((column) => Number(row?.[column]) !== 0))
  }
}
