/** The options of a registration with the option `lists`, typed by the lists. */
import type { KyselyInstance } from '../database/tables.js'
import type { OwnBy } from '../lists/definition.js'
import type { defaultLists } from '../lists/index.js'
import type { List } from '../lists/list.js'
import type { SharedMessages } from './messages.js'
import type { ListingOptions } from './options.js'
import type { GetTables, TablesOf } from './tables.js'

/** The options of `ListingOptions`, for the lists of a host. */
export interface ListsOptions<Db extends KyselyInstance, Lists extends readonly List[]>
  extends Omit<ListingOptions<Db>, 'lists' | 'tables' | 'visibility' | 'messages'> {
  /**
   * The lists to mount: one of the plugin's lists, both, or lists of the host, each made by `defineList`.
   *
   * @default [assessments, payments]
   */
  lists?: Lists | undefined
  /** The tables of the lists and the tables that they join, as in `ListingOptions`. */
  tables?: TablesOf<Lists> | GetTables<Db, TablesOf<Lists>> | undefined
  /** Adds roles, or changes the reach of a role, by the name of the list. */
  visibility?:
    | {
        [Of in Lists[number] as Of['name']]?:
          | Record<string, 'own' | 'linked' | 'all' | 'none' | OwnBy<Of['columns']>>
          | undefined
      }
    | undefined
  /** Client texts that replace the texts of the lists and the English texts. */
  messages?:
    | ({ [Name in keyof SharedMessages]?: string | undefined } & {
        [Name in `${Lists[number]['name']}${'Found' | 'Forbidden'}`]?: string | undefined
      })
    | undefined
}

/** The option `lists` after `defineOptions`, with the types of the lists, which `app.register` does not see. */
type TypedLists<Lists> = ListingOptions['lists'] & {
  /** This property exists only in the type. */
  readonly ofLists?: {
    /** In a property of a property, because TypeScript 5 infers `never` from an optional one before it knows the lists. */
    readonly lists: Lists
  }
}

/** Options that know the types of their lists. */
export type WithLists<Lists> = {
  /** The lists, with their types. */
  lists?: TypedLists<Lists> | undefined
}

/** The type of the option `lists`, before and after `defineOptions`. */
export type GivenLists = readonly List[] | ListingOptions['lists']

/** The lists of an option `lists`. */
export type ListsOf<Given> = Given extends readonly List[]
  ? Given
  : Given extends { readonly ofLists?: { readonly lists: infer Lists extends readonly List[] } }
    ? Lists
    : typeof defaultLists

/**
 * Checks the options by the lists, because `app.register` cannot. Also useful without the option `lists`: an error of the
 * compiler is short, and the parameter of the function `tables` has the type of `db`.
 *
 * @returns the same object
 * @example
 * app.register(listing, defineOptions({ db, resolveRole, lists: [payments, certificates] }))
 */
// The return type has no exported name, because a host's declaration could not import that name from the package.
export const defineOptions = <Db extends KyselyInstance, const Lists extends readonly List[] = typeof defaultLists>(
  options: ListsOptions<Db, Lists>
): ListingOptions<Db> & { lists?: TypedLists<Lists> | undefined } => options as never
