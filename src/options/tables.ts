/** The option `tables`: its rule, and the tables of an instance. */
import type { GetTables, HostTables, KyselyInstance, KyselySelect } from '../database/tables.js'
import { call } from '../errors/callbacks.js'
import { Failure } from '../errors/failure.js'
import { defaultLists } from '../lists/index.js'
import type { List } from '../lists/list.js'
import { people } from '../lists/people.js'
import { type Rule, unless, unlessRecordOf } from './rule.js'

const isTable = (value: unknown): boolean => {
  // Rejects `members as m`, which Kysely would parse as an alias.
  if (typeof value === 'string') return /^[^\s.`"]+(\.[^\s.`"]+)?$/.test(value)
  const { isSelectQueryBuilder, toOperationNode } = (value ?? {}) as Partial<KyselySelect<unknown>>
  return isSelectQueryBuilder === true && typeof toOperationNode === 'function'
}

export function tablesRule(lists: readonly List[]): Rule {
  const names = [...lists.map(({ name }) => name), ...Object.keys(people)]
  return {
    expected: `an object of ${names.join(', ')}; each a table name ("members", "crm.members") or a Kysely select`,
    // Two registrations can share their tables.
    validate: unlessRecordOf([...names, ...defaultLists.map(({ name }) => name)], unless(isTable))
  }
}

export type TablesOption = HostTables | GetTables<never, HostTables>

/** @throws Failure when the function `tables` returns something else */
export function tablesFor(database: KyselyInstance, option: TablesOption, lists: readonly List[]): HostTables {
  if (typeof option === 'object') return option
  const tables = call('tables', () => (option as GetTables<KyselyInstance, HostTables>)(database))
  const { expected, validate } = tablesRule(lists)
  const problem = validate(tables)
  if (problem) {
    const text = `The function 'tables' must return ${expected}; it returned ${problem}.`
    throw new Failure('internal', text, { callback: 'tables' })
  }
  // The host may change the object later.
  return { ...tables }
}
