/** The types of pages: what a client asks for, what a route answers, and what the calls without HTTP find. */
import type { Static, TSchema } from '@sinclair/typebox'
import type { List } from '../list.js'

/** The parameters of every list (contract 16 to 20). */
export type PageParameters = {
  /** Number of the page, a whole number from 1. A page past the end is empty. The default is 1. */
  page?: number
  /** Records on a page, a whole number from 1 to the option `maxLimit`. The default is the option `defaultLimit`. */
  limit?: number
}

/** The parameters of a list whose pages follow a record. */
export type AfterParameters = Pick<PageParameters, 'limit'> & {
  /** The `next` of the page before. Without it, the first page. */
  after?: string
  /** Whether the answer has the total. */
  total?: boolean
}

/** A page of a list. */
export interface FindResult<Item> {
  /** Number of this page, from 1. */
  page: number
  /** Maximum number of records on this page, as the query or the option `defaultLimit` gives it. */
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
  /** As in a list with page numbers. Only for a query with `total`. */
  total?: number
}

type Envelope = {
  /** Always `success`. */
  status: 'success'
  /** A sentence for people. The option `messages` changes the wording. */
  message: string
}

/** The properties that every 200 answer has besides the records (contract 26 to 30). */
export type PageProperties = Envelope & Pick<FindResult<never>, 'page' | 'limit' | 'total'>

/** The same of a list whose pages follow a record. */
export type AfterProperties = Envelope & Pick<AfterResult<never>, 'limit' | 'next' | 'total'>

export type Named<Lists extends readonly List[], Name> = string extends Lists[number]['name']
  ? List
  : Extract<Lists[number], { readonly name: Name }>

export type QueryFor<Of> = Of extends { readonly query: infer Query extends TSchema }
  ? Static<Query>
  : Readonly<Record<string, string | number | boolean | readonly string[] | undefined>>

export type Without<Query, Names extends PropertyKey> = { [Name in keyof Query as Exclude<Name, Names>]: Query[Name] }

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
  | ('counts' & keyof Page)
  | keyof (Page extends { next: unknown } ? AfterParameters : PageParameters)
