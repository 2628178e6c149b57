/** `defineList` makes a list from its definition. The compiler refuses a definition that names an unknown column. */
import {
  type TArray,
  type TInteger,
  type TObject,
  type TOptional,
  type TSchema,
  type TString,
  Type
} from '@sinclair/typebox'
import { type Column, type Columns, enumeration, type Kind } from './columns.js'
import { type Field, type Fields, type Joinable, joinable, type List, type ListName } from './list.js'
import { people } from './people.js'
import type { Reach } from './reach.js'
import { maxTextLength, namedPage, pageSchema, querySchema } from './schemas.js'

export const itemSchema = (fields: Fields): TObject =>
  Type.Object(Object.fromEntries(Object.entries(fields).map(([name, { schema }]) => [name, schema])), {
    additionalProperties: false
  })

/** The first example stands in the OpenAPI document. */
interface Documented {
  readonly description?: string
  readonly examples: readonly unknown[]
}

type NamesOf<Shape extends Columns, Of extends Kind> = {
  [Name in keyof Shape & string]: Shape[Name]['kind'] extends Of ? Name : never
}[keyof Shape & string]

type JoinedColumn = { [Table in Joinable]: `${Table}.${keyof (typeof people)[Table] & string}` }[Joinable]

/** Without `column`, the entry is named after its column. */
interface Entry<ColumnName extends string = string> extends Documented {
  readonly column?: ColumnName
}

type Entries<ColumnName extends string> = { readonly [Name in string]: Entry<ColumnName> }

type NamedAfterColumns<Given, ColumnName> = {
  readonly [Name in keyof Given]: Given[Name] extends { column: string }
    ? unknown
    : Name extends ColumnName
      ? unknown
      : { readonly column: ColumnName }
}

type EnvelopeKey = 'status' | 'message' | 'page' | 'limit' | 'total'

interface SearchEntry<ColumnName extends string = string> extends Documented {
  readonly columns: readonly ColumnName[]
  readonly required?: boolean
}

type SearchColumn<Shape extends Columns> = NamesOf<Shape, 'text'> | `users.${NamesOf<(typeof people)['users'], 'text'>}`

interface Definition<
  Name extends ListName,
  Key extends string,
  Shape extends Columns,
  Id extends string,
  GivenFields,
  GivenSearch,
  GivenFilters
> {
  readonly name: Name
  readonly path: `/${string}`
  /** The property of the answer that holds the items. */
  readonly key: Key extends EnvelopeKey ? `'${Key}' is a key of every answer already` : Key
  readonly openapi: {
    /** The prefix of the schema names: `Payment` gives `PaymentPage` and `PaymentItem`. */
    readonly name: string
    readonly operationId: string
    readonly summary: string
    readonly description: string
  }
  /** The columns of the list's table. */
  readonly columns: Shape
  readonly id: Id & NamesOf<Shape, 'id'>
  readonly owner: NamesOf<Shape, 'id'>
  readonly newest: NamesOf<Shape, 'time'>
  readonly practitioner?: NamesOf<Shape, 'id'>
  readonly fields: GivenFields &
    NamedAfterColumns<GivenFields, keyof Shape> & { readonly [Name in NoInfer<Id>]: { readonly column?: never } }
  readonly search: GivenSearch
  /** The parameters that keep the records with exactly one value of a column. */
  readonly filters: GivenFilters & NamedAfterColumns<GivenFilters, NamesOf<Shape, 'text' | 'enum' | 'id'>>
  readonly roles: Readonly<Record<string, Reach>>
  /** The reach of a role that `roles` does not name. */
  readonly otherRoles: Reach
}

type ColumnNameOf<Given, Name extends keyof Given> = Given[Name] extends { column: infer Column } ? Column : Name

type SchemaOf<Of> = Of extends { schema(options: never): infer Schema extends TSchema } ? Schema : never

type FieldSchema<Shape, ColumnName> = ColumnName extends keyof Shape
  ? SchemaOf<Shape[ColumnName]>
  : ColumnName extends `memberships.${string}`
    ? TArray<TString>
    : ColumnName extends `${infer Table extends 'users' | 'practitioners'}.${infer Name}`
      ? Name extends keyof (typeof people)[Table]
        ? SchemaOf<(typeof people)[Table][Name]>
        : never
      : never

type ItemSchemas<Shape, Given> = {
  [Name in keyof Given & string]: FieldSchema<Shape, ColumnNameOf<Given, Name>>
}

type ParameterSchemas<Shape, GivenSearch, GivenFilters> = {
  search: GivenSearch extends { required: true } ? TString : TOptional<TString>
} & {
  [Name in keyof GivenFilters & string]: TOptional<FieldSchema<Shape, ColumnNameOf<GivenFilters, Name>>>
} & { page: TOptional<TInteger>; limit: TOptional<TInteger> }

/** Defines a list. The list's texts in `ListingMessages` are named after the list: `paymentsFound` and `paymentsForbidden`. */
export function defineList<
  const Name extends ListName,
  const Key extends string,
  Shape extends Columns,
  const Id extends string,
  const GivenFields extends Entries<(keyof Shape & string) | JoinedColumn>,
  const GivenSearch extends SearchEntry<SearchColumn<Shape>>,
  const GivenFilters extends Entries<NamesOf<Shape, 'text' | 'enum' | 'id'>>
>(definition: Definition<Name, Key, Shape, Id, GivenFields, GivenSearch, GivenFilters>) {
  const { name, path, columns, id, owner, newest, practitioner, roles, otherRoles } = definition
  const { name: schemaName, ...operation } = definition.openapi
  const key = definition.key as Key
  const search: SearchEntry = definition.search
  const filters = Object.entries<Entry>(definition.filters)
  const entries = Object.entries<Entry>(definition.fields)
  const fields: Fields = Object.fromEntries(entries.map(([name, entry]) => [name, fieldOf(columns, name, entry)]))
  const joined = new Set(entries.map(([, { column }]) => column?.split('.')[0]))
  const parameters = {
    search: searchParameter(search),
    ...Object.fromEntries(filters.map(([name, entry]) => [name, filterParameter(columns, name, entry)]))
  }
  const item = itemSchema(fields) as TSchema as TObject<ItemSchemas<Shape, GivenFields>>
  const answer = pageSchema(key, item)
  return {
    name,
    path,
    ...operation,
    key,
    columns,
    id,
    owner,
    newest,
    practitioner,
    parameters,
    search: {
      records: search.columns.filter((column) => !column.includes('.')),
      users: search.columns.filter((column) => column.includes('.')).map((column) => column.slice('users.'.length))
    },
    filters: Object.fromEntries(filters.map(([name, { column = name }]) => [name, column])),
    fields,
    joins: Object.fromEntries(
      Object.entries(joinable)
        .filter(([table]) => joined.has(table))
        .map(([table, alias]) => [alias, table as Joinable])
    ),
    roles,
    otherRoles,
    texts: { found: `${name}Found`, forbidden: `${name}Forbidden` } as const,
    item,
    answer,
    page: namedPage(schemaName, key, answer, item),
    query: querySchema(parameters) as TSchema as TObject<ParameterSchemas<Shape, GivenSearch, GivenFilters>>
  } satisfies List & Record<string, unknown>
}

function fieldOf(columns: Columns, name: string, { column = name, ...documented }: Entry): Field {
  const [table, joined] = column.split('.') as [Joinable, string?]
  if (joined === undefined) return { column: `r.${column}`, ...oneValue(columns[column] as Column, documented) }
  const aliased = `${joinable[table]}.${joined}`
  if (table !== 'memberships') {
    return { column: aliased, ...oneValue((people[table] as Columns)[joined] as Column, documented) }
  }
  const schema = Type.Array(Type.String(), { ...documented })
  return { column: aliased, schema, read: (_first, all) => distinctTexts(all()) }
}

const oneValue = ({ schema, format, read }: Column, documented: Documented) => ({
  schema: schema({ ...documented }),
  format,
  read: (first: string | null) => read(first)
})

/** The distinct texts of all rows of a record, in code point order (contract 45). */
const distinctTexts = (texts: readonly (string | null)[]): string[] =>
  [...new Set(texts)].filter((text) => text !== null).sort(byCodePoint)

/** JavaScript compares UTF-16 code units, whose order differs above U+FFFF. */
const byCodePoint = (a: string, b: string): number => Buffer.compare(Buffer.from(a), Buffer.from(b))

function searchParameter({ columns: _columns, required, ...documented }: SearchEntry) {
  const schema = Type.String({ maxLength: maxTextLength, ...documented })
  return required ? schema : Type.Optional(schema)
}

function filterParameter(columns: Columns, name: string, { column = name, ...documented }: Entry) {
  const { values } = columns[column] as Column
  return Type.Optional(
    values ? enumeration(values, { ...documented }) : Type.String({ maxLength: maxTextLength, ...documented })
  )
}
