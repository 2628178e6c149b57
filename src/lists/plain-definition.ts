/** A definition as the code reads it, without the types that only the compiler needs. */
import type { Columns } from './columns.js'
import type { OpenapiTexts } from './definition.js'
import type { Documented, MorePeople } from './fields-and-filters.js'
import type { RoleReach } from './list.js'

export interface PlainDefinition {
  readonly name: string
  readonly path: string
  readonly key: string
  readonly openapi: OpenapiTexts
  readonly columns: Columns
  readonly people?: MorePeople
  readonly id: string
  readonly owner: string
  readonly newest?: string
  readonly oldest?: string
  readonly sort?: readonly string[]
  readonly practitioner?: string
  readonly fields: Readonly<Record<string, PlainEntry>>
  readonly search?: Partial<Documented> & {
    readonly columns: readonly string[]
    readonly required?: boolean
    readonly term?: (term: string) => string
  }
  readonly filters?: Readonly<Record<string, PlainFilter>>
  readonly roles: Readonly<Record<string, RoleReach>>
  readonly otherRoles?: RoleReach
  readonly messages: Readonly<Record<'found' | 'forbidden', string>>
}

export type PlainAdditions = Partial<
  Pick<PlainDefinition, 'path' | 'key' | 'columns' | 'people' | 'fields' | 'search' | 'filters' | 'sort'>
> & { readonly openapi?: Partial<OpenapiTexts> }

export interface PlainEntry extends Partial<Documented> {
  readonly column?: string
}

export interface PlainFilter extends Omit<PlainEntry, 'description'> {
  readonly description?: string | Readonly<Record<'from' | 'to', string>>
  readonly several?: boolean
  readonly range?: boolean
  readonly present?: boolean
}
