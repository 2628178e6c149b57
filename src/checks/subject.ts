/** What is checked, and what is known of it: each check looks at this. */
import type { Expression, RawBuilder } from 'kysely'
import type { Row } from '../plan.js'
import { columnsOf, type RelationName } from '../relations.js'
import { send } from '../send.js'
import type { Source } from '../source.js'
import { type BaseColumn, baseColumns } from './base-columns.js'
import { factsOf, type TableFacts } from './catalog.js'

export interface Subject {
  readonly source: Source
  /** The relations that the host gave or that are there by default. */
  readonly names: readonly RelationName[]
  /** Sends a query, which fails with a `timeout` when it is not answered within so many milliseconds. */
  ask(query: RawBuilder<Row>, milliseconds?: number): Promise<Row[]>
}

/** A relation's column that is a table's or a view's. */
export interface KnownColumn extends BaseColumn {
  readonly relation: RelationName
  readonly name: string
  readonly facts: TableFacts
}

/** Milliseconds for a query that reads no rows: only a server that is hardly there takes so long. */
const patience = 5_000

export const subjectOf = (source: Source, names: readonly RelationName[]): Subject => ({
  source,
  names,
  ask: (query, milliseconds = patience) => send(source, query, () => milliseconds)
})

/** Every column whose table the catalog knows. */
export async function knownColumns({ source, names }: Subject): Promise<KnownColumn[]> {
  const known: KnownColumn[] = []
  const tables = new Map<string, Promise<TableFacts | undefined>>()
  for (const relation of names) {
    const baseOf = baseColumns(source.relation(relation) as Expression<unknown>)
    for (const name of columnsOf[relation]) {
      const base = baseOf(name)
      if (!base) continue
      const key = JSON.stringify([base.schema, base.table])
      const facts = tables.get(key) ?? factsOf(source, base, () => patience)
      tables.set(key, facts)
      const found = await facts
      if (found) known.push({ ...base, relation, name, facts: found })
    }
  }
  return known
}
