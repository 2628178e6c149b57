/** Turns the options of the host into settings: validated, with defaults, and frozen. */
import { InvalidOption } from '../errors/boot-error.js'
import { defaultMessages, type SharedMessages } from '../errors/client-texts.js'
import { hintFor, suggestionFor } from '../errors/describe.js'
import { defaultLimits } from '../limits.js'
import { linkTablesOf } from '../lists/aliases.js'
import type { List } from '../lists/list.js'
import { type Rule, refuseFor } from '../lists/mistakes/rules.js'
import { defaultLists } from '../lists/ready/index.js'
import type { Authenticate, ListingOptions, ResolveRole } from './options.js'
import { notLists, rulesFor } from './rules.js'
import type { TablesOption } from './tables.js'

/** The settings that change answers. */
export interface AnswerSettings {
  /** With the texts of the option `messages`, and the reaches of the option `roles`. */
  readonly lists: readonly List[]
  readonly defaultLimit: number
  readonly maxLimit: number
  readonly messages: Readonly<SharedMessages>
  readonly unknownParameters: 'reject' | 'ignore' | readonly string[]
}

export interface Settings extends AnswerSettings {
  readonly db: ListingOptions['db']
  readonly tables: TablesOption
  /** Empty for `jwtVerify`. */
  readonly authenticate: readonly Authenticate[]
  readonly resolveRole: ResolveRole
  /** The roles that only the option `roles` names. */
  readonly newRoles: readonly string[]
  /** Milliseconds. */
  readonly timeout: number
  readonly checkOnReady: 'error' | 'warn' | 'off'
}

export type GivenOptions = Omit<ListingOptions, 'tables'> & { readonly tables?: TablesOption | undefined }

/** Fastify passes its own `register` options to the plugin in the same object. */
export const registerOptions = ['prefix', 'logLevel', 'logSerializers']

/** @throws TypeError for an invalid option. The message names the option, the rule and the kind of the value. */
export function settingsOf(given: GivenOptions): Settings {
  const answers = answerSettingsOf(given, ['db', 'resolveRole'])
  const { db, resolveRole, authenticate, tables } = given
  const { timeout = 10_000, checkOnReady = 'error', lists = defaultLists, roles: changed = {} } = given
  const ofLists = lists.flatMap(({ roles }) => Object.keys(roles))
  const ofOption = Object.values(changed).flatMap((roles) => Object.keys(roles ?? {}))
  return Object.freeze({
    ...answers,
    db,
    resolveRole,
    authenticate: Object.freeze([authenticate ?? []].flat()),
    tables: typeof tables === 'function' ? tables : Object.freeze({ ...tables }),
    newRoles: [...new Set(ofOption)].filter((role) => !ofLists.includes(role)),
    timeout,
    checkOnReady
  })
}

/** Validates other options, too. */
export function answerSettingsOf(given: Partial<GivenOptions>, required: readonly string[] = []): AnswerSettings {
  validate(given, required)
  const { maxLimit = defaultLimits.maxLimit, unknownParameters = 'reject', messages = {} } = given
  const { defaultLimit = Math.min(defaultLimits.defaultLimit, maxLimit), lists = defaultLists } = given
  if (defaultLimit > maxLimit) {
    throw new InvalidOption(`Option 'defaultLimit': expected at most maxLimit (${maxLimit}); got ${defaultLimit}.`)
  }
  const texts = Object.entries(messages).filter(([name, text]) => text !== undefined && name in defaultMessages)
  const changed = lists.map((list) => withOptions(list, given))
  const both = changed.flatMap(linkTablesOf).find((by) => lists.some(({ name }) => name === by))
  requireKnownRoles(changed)
  if (both) throw new InvalidOption(`Option 'lists': '${both}' is a list and a table of links; rename one of them.`)
  return {
    lists: changed,
    defaultLimit,
    maxLimit,
    messages: Object.freeze({ ...defaultMessages, ...Object.fromEntries(texts) }),
    unknownParameters: typeof unknownParameters === 'string' ? unknownParameters : Object.freeze([...unknownParameters])
  }
}

function withOptions(list: List, { roles: ofLists = {}, messages = {} }: Partial<GivenOptions>): List {
  const { name, roles, record } = list
  // A role can have any name, such as `__proto__`.
  const changed = Object.entries(structuredClone(ofLists[name] ?? {})).filter(([, reach]) => reach !== undefined)
  const text = (which: 'Found' | 'Forbidden' | 'RecordFound' | 'RecordNotFound', usual: string) =>
    messages[`${name}${which}`] ?? usual
  const { found, forbidden } = list.messages
  return Object.freeze({
    ...list,
    roles: Object.freeze(Object.fromEntries([...Object.entries(roles), ...changed])),
    messages: { found: text('Found', found), forbidden: text('Forbidden', forbidden) },
    record: record && {
      ...record,
      messages: {
        found: text('RecordFound', record.messages.found),
        notFound: text('RecordNotFound', record.messages.notFound)
      }
    }
  })
}

/** A field for a misspelt role would be one for nobody. */
function requireKnownRoles(lists: readonly List[]): void {
  for (const { name, fields, roles } of lists) {
    const known = Object.keys(roles)
    for (const [field, { roles: readers = [] }] of Object.entries(fields)) {
      const unknown = readers.find((role) => !known.includes(role))
      if (unknown === undefined) continue
      const advice = `give the role a reach in the definition or in the option 'roles'${hintFor(unknown, known)}`
      refuseFor(name)(`field '${field}' is for the role '${unknown}', which the list does not name: ${advice}`)
    }
  }
}

function validate(given: Partial<GivenOptions>, required: readonly string[]): void {
  const { lists = defaultLists } = given
  // The other rules need lists. A wrong `lists` has an error of its own.
  const rules: Record<string, Rule> = rulesFor(notLists(lists) ? [] : lists, given.roles)
  const names = Object.keys(rules)
  const unknown = Object.keys(given).find((name) => ![...names, ...registerOptions].includes(name))
  if (unknown !== undefined) {
    const suggestion = suggestionFor(unknown, names)
    const hint = suggestion ? ` Did you mean '${suggestion}'?` : ''
    throw new InvalidOption(`Unknown option '${unknown}'.${hint} The options are: ${names.join(', ')}.`)
  }
  for (const [name, { expected, wrong }] of Object.entries(rules)) {
    const value = given[name as keyof GivenOptions]
    const problem = value !== undefined || required.includes(name) ? wrong(value) : undefined
    if (problem) throw new InvalidOption(`Option '${name}': expected ${expected}; got ${problem}.`)
  }
}
