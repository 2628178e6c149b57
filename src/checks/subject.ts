/** What each check gets: the database, its tables and what the catalog knows of them. */

import { setTimeout as sleep } from 'node:timers/promises'
import type { Expression } from 'kysely'
import { execute } from '../database/execute.js'
import type { Source } from '../database/source.js'
import { columnsOf, type TableName } from '../database/tables.js'
import { failureOf } from '../errors/classify.js'
import type { PageOptions } from '../query/page-options.js'
import { spanOf } from '../query/paging.js'
import type { Ask } from './ask.js'
import { type BaseColumn, baseColumns } from './base-columns.js'
import { factsOf, type TableFacts } from './catalog.js'

export interface Subject {
  readonly source: Source
  /** The tables that the host gave or that are there by default. */
  readonly names: readonly TableName[]
  ask: Ask
}

/** A column of the `tables` option whose table or view is known. */
export interface KnownColumn extends BaseColumn {
  readonly tableName: TableName
  /** Its name in the option. */
  readonly name: string
  readonly facts: TableFacts
  /** Its type, in lower case; undefined when the table has no such column. */
  readonly type: string | undefined
}

/** Milliseconds for a query that reads no records. */
const patience = 5_000

/** Milliseconds for a query that reads records. These queries together take about a second at most. */
export const glance = 300

export const subjectOf = (source: Source, names: readonly TableName[]): Subject => ({
  source,
  names,
  ask: async (query, milliseconds = patience) => {
    try {
      const over = AbortSignal.timeout(milliseconds)
      const timeLeft = () => (over.aborted ? 0 : milliseconds)
      const answer = execute(source, query.compile(source.db), { timeLeft, over })
      // where there is no connection, or no way to stop; one that is stopped is waited for, since a pool may have one place
      const late = sleep(milliseconds + 1_000, undefined, { ref: false }).then(() => undefined)
      return await Promise.race([answer, late])
    } catch (error) {
      const failure = failureOf(error)
      if (failure.kind === 'timeout') return undefined
      throw failure.kind === 'unavailable' ? failure : error
    }
  }
})

/** How the newest records are read. */
export const firstPage: PageOptions = { span: spanOf({ page: 1, limit: 12 }), order: 'free' }

/** Every column whose table the catalog knows. */
export async function knownColumns({ source, names, ask }: Subject): Promise<KnownColumn[]> {
  const known: KnownColumn[] = []
  const tables = new Map<string, TableFacts | undefined>()
  for (const tableName of names) {
    const baseOf = baseColumns(source.table(tableName) as Expression<unknown>)
    for (const name of columnsOf[tableName]) {
      const base = baseOf(name)
      if (!base) continue
      const key = JSON.stringify([base.schema, base.table])
      if (!tables.has(key)) tables.set(key, await factsOf(source.dialect, base, ask))
      const facts = tables.get(key)
      if (facts) known.push({ ...base, tableName, name, facts, type: facts.types.get(base.column.toLowerCase()) })
    }
  }
  return known
}
