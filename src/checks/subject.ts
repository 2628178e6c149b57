/** What is checked, and what is known of it: each check looks at this. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Expression, RawBuilder } from 'kysely'
import { failureOf } from '../errors.js'
import { spanOf } from '../page.js'
import type { Row, Way } from '../plan.js'
import { columnsOf, type RelationName } from '../relations.js'
import { send } from '../send.js'
import type { Source } from '../source.js'
import { type BaseColumn, baseColumns } from './base-columns.js'
import { factsOf, type TableFacts } from './catalog.js'

/**
 * Sends a query; undefined when it takes too long, which is not wrong.
 *
 * @throws Failure when the database does not answer, else what the driver throws.
 */
export type Ask = (query: RawBuilder<Row>, milliseconds?: number) => Promise<Row[] | undefined>

export interface Subject {
  readonly source: Source
  /** The relations that the host gave or that are there by default. */
  readonly names: readonly RelationName[]
  ask: Ask
}

/** A relation's column that is a table's or a view's. */
export interface KnownColumn extends BaseColumn {
  readonly relation: RelationName
  /** Its name in the relation. */
  readonly name: string
  readonly facts: TableFacts
  /** Its type, in lower case; undefined when the table has no such column. */
  readonly type: string | undefined
}

/** Milliseconds for a query that reads no records: only a server that is hardly there takes so long. */
const patience = 5_000

/** Milliseconds for one that does. A check must not hold up a start; those few stay about a second together. */
export const glance = 300

export const subjectOf = (source: Source, names: readonly RelationName[]): Subject => ({
  source,
  names,
  ask: async (query, milliseconds = patience) => {
    try {
      const over = AbortSignal.timeout(milliseconds)
      const timeLeft = () => (over.aborted ? 0 : milliseconds)
      const answer = send(source, query.compile(source.db), { timeLeft, over })
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

/** The way to the newest records. */
export const firstPage: Way = { span: spanOf({ page: 1, limit: 12 }), order: 'free' }

/** Every column whose table the catalog knows. */
export async function knownColumns({ source, names, ask }: Subject): Promise<KnownColumn[]> {
  const known: KnownColumn[] = []
  const tables = new Map<string, TableFacts | undefined>()
  for (const relation of names) {
    const baseOf = baseColumns(source.relation(relation) as Expression<unknown>)
    for (const name of columnsOf[relation]) {
      const base = baseOf(name)
      if (!base) continue
      const key = JSON.stringify([base.schema, base.table])
      if (!tables.has(key)) tables.set(key, await factsOf(source.dialect, base, ask))
      const facts = tables.get(key)
      if (facts) known.push({ ...base, relation, name, facts, type: facts.types.get(base.column.toLowerCase()) })
    }
  }
  return known
}
