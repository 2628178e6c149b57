/** What a list is, and how one is defined. Everything that can be derived from a definition is derived here. */
import type { TProperties, TSchema } from '@sinclair/typebox'
import type { ColumnsOf, RecordName, TableName } from '../database/tables.js'
import { type Field, type Fields, itemSchema } from './fields.js'
import type { Messages } from './messages.js'
import type { Reach } from './reach.js'
import { namedPage, pageSchema, querySchema } from './schemas.js'

/** The tables that a field can come from beside the records, by their alias in SQL. */
const joinable = { u: 'users', p: 'practitioners', m: 'memberships' } as const satisfies Record<string, TableName>

/** The columns that `search` looks into: those of the records, and those of their users. */
export interface Search {
  readonly records: readonly string[]
  readonly users: readonly string[]
}

/** A list, as the rest of the plugin sees it. */
export interface List {
  readonly path: string
  readonly operationId: string
  readonly summary: string
  readonly description: string
  /** The name under which the records stand in the answer. */
  readonly key: string
  /** The table of the records, `r` in SQL. */
  readonly records: RecordName
  /** The schemas of the query parameters beside `page` and `limit`. */
  readonly parameters: TProperties
  readonly search: Search
  /** The column of the records that each parameter but `search` compares with. */
  readonly filters: Readonly<Record<string, string>>
  /** Among them the record's id, called as its column is. */
  readonly fields: Fields
  /** The tables beside the records that fields come from, by their alias in SQL. */
  readonly joins: Readonly<Record<string, (typeof joinable)[keyof typeof joinable]>>
  /** The reach of each role, and that of every other one. */
  readonly roles: Readonly<Record<string, Reach>>
  readonly otherRoles: Reach
  /** The names of its own messages. */
  readonly texts: { readonly found: keyof Messages; readonly forbidden: keyof Messages }
  /** The schema of a 200 answer, with a name for OpenAPI. */
  readonly page: TSchema
}

/** The searched columns of the records and of their users, as `r.payment_intent` and `u.email`. */
export const searchedColumns = ({ records, users }: Search): [ofRecords: string[], ofUsers: string[]] => [
  records.map((name) => `r.${name}`),
  users.map((name) => `u.${name}`)
]

/** The tables that the statements of a list may read, by their alias in SQL. */
export const aliasesOf = ({ records, joins }: Pick<List, 'records' | 'joins'>): Record<string, TableName> => ({
  r: records,
  u: 'users',
  l: 'links',
  ...joins
})

/** A column of a table, as `u.email`. */
type Aliased<Alias extends string, Table extends TableName> = `${Alias}.${keyof ColumnsOf<Table> & string}`

/** A column that a field of a list can come from. */
export type ColumnOf<Records extends RecordName> =
  | Aliased<'r', Records>
  | { [Alias in keyof typeof joinable]: Aliased<Alias, (typeof joinable)[Alias]> }[keyof typeof joinable]

/** The id of a table's records. */
type IdOf<Records extends RecordName> = { assessments: 'assessment_id'; payments: 'payment_id' }[Records]

type EnvelopeKey = 'status' | 'message' | 'page' | 'limit' | 'total'

/** What a list's file says of its list. */
interface Definition<
  Records extends RecordName,
  Key extends string,
  Parameters extends TProperties,
  Schemas extends TProperties
> {
  readonly path: `/${string}`
  readonly operationId: string
  readonly summary: string
  readonly description: string
  /** The name under which the records stand in the answer. */
  readonly key: Key extends EnvelopeKey ? `'${Key}' is a key of every answer already` : Key
  /** The schemas of the query parameters beside `page` and `limit`. */
  readonly parameters: Parameters
  /** The columns that the parameter `search` looks into. */
  readonly search: {
    readonly records: readonly (keyof ColumnsOf<Records> & string)[]
    readonly users: readonly (keyof ColumnsOf<'users'> & string)[]
  }
  /** The column of the records that each other parameter compares with. */
  readonly filters: { readonly [Name in Exclude<keyof Parameters, 'search'>]: keyof ColumnsOf<Records> & string }
  readonly fields: { readonly [Name in keyof Schemas]: Field<Schemas[Name], ColumnOf<Records>> } & Readonly<
    Record<IdOf<Records>, unknown>
  >
  /** The reach of each role, and that of every other one. */
  readonly roles: Readonly<Record<string, Reach>>
  readonly otherRoles: Reach
}

/**
 * Defines the list of a table's records. The messages are called after the table: `paymentsFound` and
 * `paymentsForbidden` of `payments`.
 *
 * @param name the name of an item in the OpenAPI document
 */
export function defineList<
  Records extends RecordName,
  const Key extends string,
  Parameters extends TProperties,
  Schemas extends TProperties
>(records: Records, name: string, definition: Definition<Records, Key, Parameters, Schemas>) {
  const { parameters, key } = definition
  const fields = definition.fields as Fields
  const aliases = new Set(Object.values(fields).map(({ column }) => column.split('.')[0]))
  const item = itemSchema<Schemas>(definition.fields)
  const answer = pageSchema(key as Key, item)
  return {
    ...definition,
    key: key as Key,
    records,
    fields,
    joins: Object.fromEntries(Object.entries(joinable).filter(([alias]) => aliases.has(alias))),
    texts: { found: `${records}Found`, forbidden: `${records}Forbidden` } as const,
    item,
    answer,
    page: namedPage(name, key, answer, item),
    query: querySchema(parameters)
  } satisfies List & Record<string, unknown>
}
