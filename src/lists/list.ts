/** The type of a list, and `defineList`, which makes a list from its definition. */
import type { TProperties, TSchema } from '@sinclair/typebox'
import type { ColumnsOf, columnsOf, RecordName, TableName } from '../database/tables.js'
import { type Field, type Fields, itemSchema } from './fields.js'
import type { Messages } from './messages.js'
import type { Reach } from './reach.js'
import { namedPage, pageSchema, querySchema } from './schemas.js'

/** A field reads a column of the records or of one of these tables. The keys are SQL aliases. */
const joinable = { u: 'users', p: 'practitioners', m: 'memberships' } as const satisfies Record<string, TableName>

export interface Search {
  readonly records: readonly string[]
  readonly users: readonly string[]
}

export interface List {
  readonly path: string
  readonly operationId: string
  readonly summary: string
  readonly description: string
  readonly key: string
  /** The table of the records. The SQL alias is `r`. */
  readonly records: RecordName
  readonly parameters: TProperties
  /** The columns that the parameter `search` searches. */
  readonly search: Search
  /** The column that each other parameter filters by. */
  readonly filters: Readonly<Record<string, string>>
  readonly fields: Fields
  /** The joined tables by SQL alias, such as `{ u: 'users', m: 'memberships' }`. */
  readonly joins: Readonly<Record<string, (typeof joinable)[keyof typeof joinable]>>
  readonly roles: Readonly<Record<string, Reach>>
  readonly otherRoles: Reach
  /** The names of the list's texts in `Messages`. */
  readonly texts: { readonly found: keyof Messages; readonly forbidden: keyof Messages }
  /** The JSON schema of a 200 answer, with an `$id` for OpenAPI. */
  readonly page: TSchema
}

/**
 * Adds the SQL aliases: `r.payment_intent`, `u.email`. Statements also use `k` (the ids of a page), `v` (the visible
 * users), `l` (links) and `o` (own records).
 */
export const searchedColumns = ({ records, users }: Search): [ofRecords: string[], ofUsers: string[]] => [
  records.map((name) => `r.${name}`),
  users.map((name) => `u.${name}`)
]

export const aliasesOf = ({ records, joins }: Pick<List, 'records' | 'joins'>): Record<string, TableName> => ({
  r: records,
  u: 'users',
  l: 'links',
  ...joins
})

type Aliased<Alias extends string, Table extends TableName> = `${Alias}.${keyof ColumnsOf<Table> & string}`

export type ColumnOf<Records extends RecordName> =
  | Aliased<'r', Records>
  | { [Alias in keyof typeof joinable]: Aliased<Alias, (typeof joinable)[Alias]> }[keyof typeof joinable]

type IdOf<Records extends RecordName> = (typeof columnsOf)[Records][0]

type EnvelopeKey = 'status' | 'message' | 'page' | 'limit' | 'total'

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
  /** The property of the answer that holds the records. */
  readonly key: Key extends EnvelopeKey ? `'${Key}' is a key of every answer already` : Key
  /** The JSON schemas of the query parameters, without `page` and `limit`. */
  readonly parameters: Parameters
  readonly search: {
    readonly records: readonly (keyof ColumnsOf<Records> & string)[]
    readonly users: readonly [keyof ColumnsOf<'users'> & string, ...(keyof ColumnsOf<'users'> & string)[]]
  }
  /** The column that each parameter other than `search` filters by. */
  readonly filters: { readonly [Name in Exclude<keyof Parameters, 'search'>]: keyof ColumnsOf<Records> & string }
  /** The fields of an item. The record's id is required, under the name of its column. */
  readonly fields: { readonly [Name in keyof Schemas]: Field<Schemas[Name], ColumnOf<Records>> } & Readonly<
    Record<IdOf<Records>, Field<TSchema, `r.${IdOf<Records>}`>>
  >
  readonly roles: Readonly<Record<string, Reach>>
  /** The reach of a role that `roles` does not name. */
  readonly otherRoles: Reach
}

/**
 * Defines a list. The list's texts in `Messages` are named after the table: `paymentsFound` and `paymentsForbidden`.
 *
 * @param records the table of the records
 * @param name the prefix of the schema names in OpenAPI: `Payment` gives `PaymentPage` and `PaymentItem`
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
