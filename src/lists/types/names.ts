/** What a definition has, and the names of its columns by what may read them. `Spec` is the type of the definition. */
import type { Kind, KindFor } from '../../kinds/index.js'
import type { Use } from '../../kinds/kind.js'
import type { Joinable } from '../aliases.js'
import type { Column, Columns, TypedColumn } from '../column.js'
import type { WhereValue } from '../roles.js'
import type { sharedTables } from '../shared-tables.js'

/** A property of a definition, or nothing. */
export type PropertyOf<Spec, Name extends string> = Spec extends { readonly [_ in Name]: infer Of }
  ? [Of] extends [undefined]
    ? unknown
    : Exclude<Of, undefined>
  : unknown

/** The names of what is undefined. */
export type LeftOut<Of> = { [Name in keyof Of]: [Of[Name]] extends [undefined] ? Name : never }[keyof Of]

/** What a property of a definition has, without what is undefined. */
export type MembersOf<Spec, Name extends string, Of = PropertyOf<Spec, Name>> = [LeftOut<Of>] extends [never]
  ? Of
  : Pick<Of, Exclude<keyof Of, LeftOut<Of>>>

/** The columns of the list's table: those of `columns`, and the fields that are columns. */
export type ColumnsOf<Spec, Fields = MembersOf<Spec, 'fields'>> = unknown extends Spec
  ? Columns
  : MembersOf<Spec, 'columns'> & {
      readonly [Name in keyof Fields as Fields[Name] extends Column | undefined ? Name : never]: Exclude<
        Fields[Name],
        undefined
      >
    }

/** The columns of the joined tables, with those that the definition adds. */
export type JoinedOf<Spec> = typeof sharedTables & PropertyOf<Spec, 'joined'>

/** The columns of each kind, by name. The compiler's messages show them, because the type has no name of its own. */
export type Names<Of> = {
  [Each in Kind]: string extends keyof Of
    ? string
    : {
        [Name in keyof Of & string]: Each extends PropertyOf<Exclude<Of[Name], undefined>, 'kind'> ? Name : never
      }[keyof Of & string]
}

/** The names of the columns that a property of the definition, or a way to filter, may name. */
export type NamesFor<Spec, Of extends Use> = Names<ColumnsOf<Spec>>[KindFor<Of>]

/** The names of the columns of ids. */
export type IdOf<Of> = Names<Of>[KindFor<'id'>]

/** The texts of a joined table, such as `users.email`. */
export type TextsOf<Tables, Table extends keyof Tables & string> = `${Table}.${Names<Tables[Table]>[KindFor<'search'>]}`

/** The columns that fields may show of joined tables. Without the ids, which are columns of the list too. */
export type JoinedName<Spec, More = PropertyOf<Spec, 'joined'>> =
  | { [Table in Joinable]: TextsOf<typeof sharedTables, Table> }[Joinable]
  | { [Table in keyof More & string]: `${Table}.${keyof More[Table] & string}` }[keyof More & string]

/** The conditions of a reach: a value of a column, several values, or null for none. */
export type WhereOf<Of> = {
  readonly [Name in Names<Of>[KindFor<'equal'>]]?: WhereAt<
    string extends keyof Of ? WhereValue : ConstantOf<Exclude<Of[Name & keyof Of], undefined>>
  >
}

type WhereAt<Value> = Value | readonly (Value | null)[] | null

type ConstantOf<Of> =
  Of extends TypedColumn<infer Each, infer Value, infer _>
    ? Exclude<Value, null> | (Each extends 'id' ? number | bigint : never)
    : never
