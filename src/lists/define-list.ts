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
import { type Column, type Columns, distinctTexts, type Kind } from './columns.js'
import { type Field, type Fields, type Joinable, joinable, type List, type ListName } from './list.js'
import { people } from './people.js'
import type { Reach } from './reach.js'
import { maxTextLength, namedPage, pageSchema, querySchema } from './schemas.js'

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

type FilterColumn<Shape extends Columns> = NamesOf<Shape, 'text' | 'enum' | 'id'>

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
  readonly filters: GivenFilters & NamedAfterColumns<GivenFilters, FilterColumn<Shape>>
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
      ? SchemaOf<(typeof people)[Table][Name & keyof (typeof people)[Table]]>
      : never

type Schemas<Shape, Given> = { [Name in keyof Given & string]: FieldSchema<Shape, ColumnNameOf<Given, Name>> }

type ParameterSchemas<Shape, GivenSearch, GivenFilters> = {
  search: GivenSearch extends { required: true } ? TString : TOptional<TString>
  page: TOptional<TInteger>
  limit: TOptional<TInteger>
} & { [Name in keyof GivenFilters & string]: TOptional<Schemas<Shape, GivenFilters>[Name]> }

/** Defines a list. The list's texts in `ListingMessages` are named after the list: `paymentsFound` and `paymentsForbidden`. */
export function defineList<
  const Name extends ListName,
  const Key extends string,
  Shape extends Columns,
  const Id extends string,
  const GivenFields extends Readonly<Record<string, Entry<(keyof Shape & string) | JoinedColumn>>>,
  const GivenSearch extends SearchEntry<SearchColumn<Shape>>,
  const GivenFilters extends Readonly<Record<string, Entry<FilterColumn<Shape>>>>
>(definition: Definition<Name, Key, Shape, Id, GivenFields, GivenSearch, GivenFilters>) {
  const { openapi, fields: givenFields, search: givenSearch, filters: givenFilters, ...ofRecords } = definition
  const { name: schemaName, ...operation } = openapi
  const { name, columns } = ofRecords
  const key = ofRecords.key as Key
  const { columns: searched, required, ...documented }: SearchEntry = givenSearch
  const search = textParameter(documented)
  const filters = Object.entries<Entry>(givenFilters)
  const entries = Object.entries<Entry>(givenFields)
  const fields: Fields = Object.fromEntries(entries.map(([name, entry]) => [name, fieldOf(columns, name, entry)]))
  const joined = new Set(entries.map(([, { column }]) => column?.split('.')[0]))
  const joins = Object.fromEntries(
    Object.entries(joinable)
      .filter(([table]) => joined.has(table))
      .map(([table, alias]) => [alias, table as Joinable])
  )
  const parameters = {
    search: required ? search : Type.Optional(search),
    ...Object.fromEntries(filters.map(([name, entry]) => [name, filterParameter(columns, name, entry)]))
  }
  const schemas = Object.fromEntries(Object.entries(fields).map(([name, { schema }]) => [name, schema]))
  const item = Type.Object(schemas, { additionalProperties: false }) as TSchema as TObject<Schemas<Shape, GivenFields>>
  return {
    ...ofRecords,
    ...operation,
    key,
    parameters,
    search: {
      records: searched.filter((column) => !column.includes('.')).map((column) => `r.${column}`),
      users: searched.filter((column) => column.includes('.')).map((column) => column.replace('users', 'u'))
    },
    filters: Object.fromEntries(filters.map(([name, { column = name }]) => [name, column])),
    fields,
    joins,
    tables: { r: name, u: 'users', l: 'links', ...joins } as const,
    texts: { found: `${name}Found`, forbidden: `${name}Forbidden` } as const,
    item,
    answer: pageSchema(key, item),
    page: namedPage(schemaName, key, item),
    query: querySchema(parameters) as TSchema as TObject<ParameterSchemas<Shape, GivenSearch, GivenFilters>>
  } satisfies List & Record<string, unknown>
}

function fieldOf(columns: Columns, name: string, { column = name, ...documented }: Entry): Field {
  const [table, joined] = column.split('.') as [Joinable, string?]
  const aliased = joined === undefined ? `r.${column}` : `${joinable[table]}.${joined}`
  if (joined !== undefined && table === 'memberships') {
    const schema = Type.Array(Type.String(), { ...documented })
    return { column: aliased, schema, read: (_first, all) => distinctTexts(all()) }
  }
  const kind = (joined === undefined ? columns[column] : (people[table] as Columns)[joined]) as Column
  const { schema, format, read } = kind
  return { column: aliased, schema: schema({ ...documented }), format, read }
}

const textParameter = (documented: Documented) => Type.String({ maxLength: maxTextLength, ...documented })

function filterParameter(columns: Columns, name: string, { column = name, ...documented }: Entry) {
  const { kind, schema } = columns[column] as Column
  return Type.Optional(kind === 'enum' ? schema({ ...documented }) : textParameter(documented))
}
