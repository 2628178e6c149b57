/** What the calls of a list without HTTP ask, and what they find. */
import type { Static, TSchema } from '@sinclair/typebox'
import type { List } from '../list.js'

export type Named<Lists extends readonly List[], Name> = string extends Lists[number]['name']
  ? List
  : Extract<Lists[number], { readonly name: Name }>

export type QueryFor<Of> = Of extends { readonly query: infer Query extends TSchema }
  ? Static<Query>
  : Readonly<Record<string, string | number | boolean | readonly string[] | undefined>>

export type Without<Query, Names extends PropertyKey> = { [Name in keyof Query as Exclude<Name, Names>]: Query[Name] }

/** A page of a list. */
export interface FindResult<Item> {
  /** Number of this page, from 1. */
  page: number
  /** Maximum number of records on this page. */
  limit: number
  /** Exact number of records that match the query and that the caller may see, over all pages. */
  total: number
  /** The records, in their order, as a route sends them. */
  items: Item[]
}

/** A page of a list whose pages follow a record. */
export interface AfterResult<Item> extends Pick<FindResult<Item>, 'limit' | 'items'> {
  /** The `after` of the next page. Null on the last one. */
  next: string | null
  /** As in `FindResult`. Only for `total: true`. */
  total?: number
}

/** The names of the lists that give one record. */
export type RecordName<Of> = Of extends { readonly name: infer Name; readonly definition: { readonly record: object } }
  ? Name
  : never

/** A page, with the numbers that `counts` asks for. */
export type FoundOf<Of extends List, Page = Static<Of['page']>> = (Page extends { next: unknown }
  ? AfterResult<Static<Of['item']>>
  : FindResult<Static<Of['item']>>) &
  Pick<Page, 'counts' & keyof Page>

/** The parameters that choose a part of the records, and what the answer has besides them. */
export type NotOfAll<Of extends List, Page = Static<Of['page']>> =
  | ('page' | 'limit' | ('counts' & keyof Page))
  | (Page extends { next: unknown } ? 'after' | 'total' : never)
