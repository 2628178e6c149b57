/** Options whose type knows their lists. */
import type { KyselyInstance } from '../database/tables.js'
import type { List } from '../lists/list.js'
import type { defaultLists } from '../lists/ready/index.js'
import type { OptionsOf } from './options.js'

/**
 * Checks the options by the lists, which `app.register` does not: the names in `tables`, `roles` and `messages`, and
 * the columns of the tables. An error of the compiler is short, and the parameter of the function `tables` has the type
 * of `db`.
 *
 * @returns the same object
 * @example
 * app.register(listing, defineOptions({ db, resolveRole, lists: [payments, certificates] }))
 */
export const defineOptions = <Db extends KyselyInstance, const Lists extends readonly List[] = typeof defaultLists>(
  options: OptionsOf<Db, Lists>
): OptionsOf<Db, Lists> => options
