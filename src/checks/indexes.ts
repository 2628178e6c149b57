/** Which indexes are missing: the tables are asked for those that each way of reading needs. */

import type { RelationName } from '../relations.js'
import type { BaseColumn } from './base-columns.js'
import type { Finding } from './finding.js'
import type { KnownColumn, Subject } from './subject.js'

/**
 * The columns of each index, under our names. The last one of several only makes it better: it saves a
 * sort or a look at the table.
 */
const wanted: Record<RelationName, readonly (readonly string[])[]> = {
  assessments: [
    ['assessment_id'],
    ['created_at', 'assessment_id'],
    ['user_id', 'created_at', 'assessment_id'],
    ['status', 'created_at', 'assessment_id']
  ],
  payments: [
    ['payment_id'],
    ['created_at', 'payment_id'],
    ['user_id', 'created_at', 'payment_id'],
    ['processor_status', 'created_at', 'payment_id']
  ],
  users: [['user_id']],
  practitioners: [['practitioner_id']],
  memberships: [['user_id', 'org_name']],
  links: [['owner_id', 'user_id']]
}

export function checkIndexes(known: readonly KnownColumn[], { names, source }: Subject): Finding[] {
  const statements = names.flatMap((relation) => {
    const columns = known.filter((column) => column.relation === relation && column.facts.isTable)
    return wanted[relation].flatMap((names) => {
      const needed = names
        .slice(0, Math.max(1, names.length - 1))
        .map((name) => columns.find((one) => one.name === name))
      const [first] = needed
      // computed, of a view, or from several tables: statements.ts says it in words
      if (!first || !needed.every((column) => column && isSameTable(column, first))) return []
      const leading = needed.map((column) => String(column?.column).toLowerCase())
      if (first.facts.indexes.some((index) => leading.every((name, place) => index[place] === name))) return []
      const all = names.flatMap((name) => columns.find((one) => one.name === name && isSameTable(one, first)) ?? [])
      return [
        createIndex(
          source,
          first,
          all.map(({ column }) => column)
        )
      ]
    })
  })
  return statements.map((text) => ({ level: 'warning', remedy: 'indexes', text }))
}

const isSameTable = (a: BaseColumn, b: BaseColumn) => a.table === b.table && a.schema === b.schema

function createIndex({ db }: Subject['source'], { schema, table }: BaseColumn, columns: string[]): string {
  const name = `${table}_${columns.join('_')}`.slice(0, 60)
  const on = schema === undefined ? table : `${schema}.${table}`
  return `${db.schema.createIndex(name).on(on).columns(columns).compile().sql};`
}
