/** The type of a list that `defineList` has made, and what a host gets of it. */
import type { Static, TSchema } from '@sinclair/typebox'
import type { CellOf } from '../column.js'
import type { List } from '../list.js'
import type { Additions } from './definition.js'
import type { Item, PageBody, Query } from './item-page-query.js'
import type { ColumnsOf, LeftOut, MembersOf, PropertyOf } from './names.js'
import type { ObjectSchema } from './object-schema.js'

/** The definition of an extended list. Not exported, so that a host's declarations show its members. */
type Extended<Spec, More> = {
  readonly [Name in keyof Spec | keyof More]: Name extends Exclude<keyof Spec, LeftOut<Spec>>
    ? Name extends Exclude<keyof More, LeftOut<More>>
      ? Name extends 'columns' | 'joined' | 'fields' | 'filters'
        ? Spec[Name] & More[Name]
        : Name extends 'sort' | 'unshown'
          ? Spec[Name] | More[Name]
          : Name extends 'path' | 'key' | 'paging' | 'record'
            ? More[Name]
            : Spec[Name]
      : Spec[Name]
    : More[Name & keyof More]
}

/** A list that `defineList` has made. `Spec` is the type of its definition. */
export interface DefinedList<Spec> extends List<PropertyOf<Spec, 'name'> & string, ColumnsOf<Spec>> {
  /** The definition, which `extend` adds to. */
  readonly definition: Spec
  /** The JSON schema of the query, with default paging. */
  readonly query: ObjectSchema<Query<Spec>>
  /** The JSON schema of an item. */
  readonly item: ObjectSchema<Item<Spec>>
  /** The JSON schema of a 200 answer. */
  readonly page: ObjectSchema<PageBody<Spec>>
  /**
   * Returns a list with more columns, fields, filters, searched columns and orders. The path, the key and the OpenAPI
   * texts can be replaced, so that two versions of a list stand in one server. Everything else stays as it is.
   *
   * @throws TypeError for a name that is taken, and for every mistake that `defineList` refuses
   * @example
   * payments.extend({ fields: { currency: column.text({ examples: ['EUR'] }) } })
   */
  extend<const More>(
    additions: [More] extends [never] ? More : Additions<Extended<Spec, More>, keyof MembersOf<Spec, 'filters'>>
  ): DefinedList<Extended<Spec, More>>
}

/** The rows that a list reads from its table, as a host's select must return them. */
export type RowOf<Of extends { readonly columns: object }> = {
  -readonly [Name in keyof Of['columns']]: CellOf<Of['columns'][Name]>
}

/** An item of a list. */
export type ItemOf<Of extends { readonly item: TSchema }> = Static<Of['item']>

/** A 200 answer of a list. */
export type PageOf<Of extends { readonly page: TSchema }> = Static<Of['page']>

/** The query of a list. */
export type QueryOf<Of extends { readonly query: TSchema }> = Static<Of['query']>
