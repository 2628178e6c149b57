/** The fields of an item, and what OpenAPI says of who gets them. */
import { type SchemaOptions, type TSchema, Type } from '@sinclair/typebox'
import { pathOf } from './aliases.js'
import type { Column, Columns, Documented, ForRoles } from './column.js'
import type { Field, List, Path } from './list.js'
import { columnsOf, type Definition, isColumn, joinedOf } from './types/definition.js'

type Entry = { column?: string; roles?: ForRoles['roles'] | undefined } & Partial<Documented>

export function fieldsOf(definition: Definition): List['fields'] {
  const tables: Readonly<Record<string, Columns>> = { ...joinedOf(definition), '': columnsOf(definition) }
  const fieldOf = (name: string, entry: Entry): Field => {
    const { column = name, roles: readers, ...texts } = entry
    const roles = readers && [...readers]
    const options = described({ ...texts } as TSchema, roles ? `Only where ${oneOf(roles)} reaches the record.` : '')
    const documented = options as SchemaOptions
    const path = pathOf(column)
    if (path.startsWith('m.')) {
      const schema = Type.Array(Type.String(), documented)
      return { column: path, roles, schema, read: (_first, all) => distinctTexts(all()) }
    }
    const [ofTable, table = ''] = column.split('.').toReversed() as [string, string?]
    const { schema, format, read } = (tables[table] as Columns)[ofTable] as Column
    return { column: path, roles, schema: schema(documented), format, read }
  }
  const entries = Object.entries(definition.fields).map(([name, entry]): [string, Field] => {
    const given = isColumn(entry) ? { ...entry.documented, roles: entry.roles } : entry
    return [name, fieldOf(name, given)]
  })
  return Object.fromEntries(entries)
}

/** `Takes state only where Lead or Desk reaches the record.` Nothing for a column that every role sees. */
export function onlyFor(fields: List['fields'], path: Path, what: string): string {
  const showing = Object.values(fields).filter(({ column }) => column === path)
  const readers = showing.flatMap(({ roles = [] }) => roles)
  const isForAll = showing.length === 0 || showing.some(({ roles }) => !roles)
  return isForAll ? '' : `${what} where ${oneOf([...new Set(readers)])} reaches the record.`
}

/** `Lead`, `Lead or Desk`, `Lead, Desk or Admin` */
const oneOf = (names: readonly string[]): string =>
  [names.slice(0, -1).join(', '), names.at(-1)].filter(Boolean).join(' or ')

export const described = <Of extends TSchema>(schema: Of, ...texts: readonly string[]): Of => {
  const description = [schema.description, ...texts].filter(Boolean).join(' ')
  return { ...schema, ...(description && { description }) }
}

/** The distinct texts by code point (contract 45): UTF-16, which JavaScript compares, differs above U+FFFF. */
export const distinctTexts = (texts: readonly (string | null)[]): string[] =>
  [...new Set(texts)].filter((text) => text !== null).sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)))
