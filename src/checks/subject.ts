/** The input of each check. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Expression } from 'kysely'
import { type BaseColumn, baseColumns } from '../database/base-columns.js'
import type { Dialect } from '../database/dialect.js'
import { openSession } from '../database/session.js'
import type { RequestTables, Source } from '../database/source.js'
import { kindsOf, type TableName } from '../database/tables.js'
import { failureOf } from '../errors/classify.js'
import type { Column, Kind } from '../lists/columns.js'
import { lists } from '../lists/index.js'
import { references } from '../lists/people.js'
import { spanOf } from '../query/plan.js'
import type { PageOptions } from '../query/queries.js'
import type { Ask } from './ask.js'
import { factsOf, type TableFacts } from './catalog.js'

/** The database, with the tables of the moment when the check begins. */
export interface CheckedSource extends Source {
  readonly tables: RequestTables
}

export interface Subject {
  readonly source: CheckedSource
  readonly names: readonly TableName[]
  ask: Ask
}

export interface KnownColumn extends BaseColumn {
  readonly tableName: TableName
  /** The name in the `tables` option. */
  readonly name: string
  readonly kind: Kind
  /** The table whose ids the column holds. */
  readonly references: 'users' | 'practitioners' | undefined
  readonly facts: TableFacts
  /** In lower case. Undefined when the table lacks the column. */
  readonly type: string | undefined
}

/** Milliseconds for a query that reads no records. */
const defaultTimeout = 5_000

/** Milliseconds for a query that reads records. */
export const dataTimeout = 300

export const subjectOf = (source: CheckedSource, names: readonly TableName[]): Subject => ({
  source,
  names,
  ask: async (query, milliseconds = defaultTimeout) => {
    try {
      const over = AbortSignal.timeout(milliseconds)
      const timeLeft = () => (over.aborted ? 0 : milliseconds)
      const session = openSession(source, source.tables, { timeLeft, over })
      const answer = session.run(session.compile(query))
      // The extra second lets the session stop the statement, which frees the connection. The answer does not come without
      // a free connection, or if the statement cannot be stopped.
      const late = sleep(milliseconds + 1_000, undefined, { ref: false }).then(() => undefined)
      return await Promise.race([answer, late])
    } catch (error) {
      const failure = failureOf(error)
      if (failure.kind === 'timeout') return undefined
      throw failure.kind === 'unavailable' ? failure : error
    }
  }
})

export const firstPage: PageOptions = { span: spanOf({ page: 1, limit: 12 }), plan: 'plain' }

/** The oldest records. */
export const lastPage: PageOptions = { ...firstPage, span: { ...firstPage.span, backwards: true } }

/** Bytes pass unchanged through a MySQL connection of any charset. */
export const textFor = ({ name, bytes, text }: Dialect) => (name === 'mysql' ? bytes : text)

const referencesOf: Readonly<Record<string, (typeof references)['users']>> = {
  ...references,
  ...Object.fromEntries(
    lists.map(({ name, owner, practitioner }) => [
      name,
      { [owner]: 'users', ...(practitioner && { [practitioner]: 'practitioners' }) }
    ])
  )
}

/** The columns whose table is in the catalog. */
export async function knownColumns({ source, names, ask }: Subject): Promise<KnownColumn[]> {
  const known: KnownColumn[] = []
  const tables = new Map<string, TableFacts | undefined>()
  for (const tableName of names) {
    const baseOf = baseColumns(source.tables.of(tableName) as Expression<unknown>)
    for (const [name, { kind }] of Object.entries<Column>(kindsOf[tableName])) {
      const base = baseOf(name)
      if (!base) continue
      const key = JSON.stringify([base.schema, base.table])
      if (!tables.has(key)) tables.set(key, await factsOf(source.dialect, base, ask))
      const facts = tables.get(key)
      const references = referencesOf[tableName]?.[name]
      const type = facts?.types.get(base.column.toLowerCase())
      if (facts) known.push({ ...base, tableName, name, kind, references, facts, type })
    }
  }
  return known
}
