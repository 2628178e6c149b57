/** The option `tables`: its rule, and the tables of an instance. */
import {
  type GetTables,
  type KyselyInstance,
  type KyselySelect,
  type ListingTables,
  tableNames
} from '../database/tables.js'
import { call } from '../errors/callbacks.js'
import { Failure } from '../errors/failure.js'
import { type Rule, unless, unlessRecordOf } from './rule.js'

const isTable = (value: unknown): boolean => {
  // Rejects `members as m`, which Kysely would parse as an alias.
  if (typeof value === 'string') return /^[^\s.`"]+(\.[^\s.`"]+)?$/.test(value)
  const { isSelectQueryBuilder, toOperationNode } = (value ?? {}) as Partial<KyselySelect<unknown>>
  return isSelectQueryBuilder === true && typeof toOperationNode === 'function'
}

export const tablesRule: Rule = {
  expected: `an object of ${tableNames.join(', ')}; each a table name ("members", "crm.members") or a Kysely select`,
  validate: unlessRecordOf(tableNames, unless(isTable))
}

export type TablesOption = ListingTables | GetTables<never>

/** @throws Failure when the function `tables` returns something else */
export function tablesFor(database: KyselyInstance, option: TablesOption): ListingTables {
  if (typeof option === 'object') return option
  const tables: unknown = call('tables', () => (option as GetTables)(database))
  const problem = tablesRule.validate(tables)
  if (problem) {
    const text = `The function 'tables' must return ${tablesRule.expected}; it returned ${problem}.`
    throw new Failure('internal', text, { callback: 'tables' })
  }
  // The host may change the object later.
  return { ...(tables as ListingTables) }
}
