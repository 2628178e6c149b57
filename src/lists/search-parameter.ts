/** The parameter `search` of a list. */
import { type SchemaOptions, type TSchema, Type } from '@sinclair/typebox'
import { maxTextLength } from '../limits.js'
import { pathOf } from './aliases.js'
import type { Documented } from './column.js'
import type { List, Path } from './list.js'

/** The parameter `search`. */
export interface SearchEntry<Name extends string = string> extends Documented {
  /** Columns of texts, of the list's table and of the users. */
  readonly columns: readonly Name[]
  /** Whether a request without the parameter is a 400. */
  readonly required?: boolean | undefined
  /**
   * Brings a term into the form in which the columns hold it, such as lower case without accents. A pure function of
   * the text, which gets no empty term. A result that no query string may hold is a 400, and in place of an empty
   * result the term itself is searched. Write the type of its parameter.
   *
   * @default the term itself
   */
  readonly term?: ((term: string) => string) | undefined
}

export function searchSchema({ columns: _columns, required, term: _term, ...documented }: SearchEntry): TSchema {
  const text = Type.String({ maxLength: maxTextLength, ...(documented as SchemaOptions) })
  return required ? text : Type.Optional(text)
}

/** @internal */
export function searchOf({ columns = [], term = String }: Partial<SearchEntry> = {}): List['search'] {
  const paths = columns.map(pathOf)
  const isOfUsers = (path: Path) => path.startsWith('u.')
  return { records: paths.filter((path) => !isOfUsers(path)), users: paths.filter(isOfUsers), term }
}
