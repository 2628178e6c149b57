/** Turns the options of the host into settings: validated, with defaults, and frozen. */
import { InvalidOption } from '../errors/boot-error.js'
import { suggestionFor } from '../errors/suggestion.js'
import { defaultMessages, type ListingMessages } from '../lists/messages.js'
import { defaultPaging } from '../lists/schemas.js'
import type { ListingOptions } from './options.js'
import type { Rule } from './rule.js'
import { rules } from './rules.js'

export type Settings = Readonly<{
  [Name in Exclude<keyof ListingOptions, 'authenticate' | 'messages'>]-?: NonNullable<ListingOptions[Name]>
}> & {
  readonly authenticate: ListingOptions['authenticate']
  readonly messages: Readonly<ListingMessages>
}

/** Fastify passes its own `register` options to the plugin in the same object. */
const registerOptions = ['prefix', 'logLevel', 'logSerializers']

/** The settings that change answers. */
export type AnswerSettings = Pick<Settings, 'defaultLimit' | 'maxLimit' | 'messages' | 'unknownParameters'>

/** @throws TypeError for an invalid option. The message names the option, the rule and the kind of the value. */
export function settingsOf(given: ListingOptions): Settings {
  const answers = answerSettingsOf(given, ['db', 'resolveRole'])
  const { db, resolveRole, authenticate, tables, visibility = {} } = given
  const { timeout = 10_000, shareTotals = false, checkOnReady = 'error' } = given
  const frozenVisibility = Object.entries(visibility).map(([list, roles]) => [list, Object.freeze({ ...roles })])
  return Object.freeze({
    ...answers,
    db,
    resolveRole,
    authenticate,
    tables: typeof tables === 'function' ? tables : Object.freeze({ ...tables }),
    visibility: Object.freeze(Object.fromEntries(frozenVisibility)),
    timeout,
    shareTotals,
    checkOnReady
  })
}

/** Validates other options, too. */
export function answerSettingsOf(
  given: Partial<ListingOptions>,
  required: readonly (keyof ListingOptions)[] = []
): AnswerSettings {
  validate(given, required)
  const { maxLimit = defaultPaging.maxLimit, unknownParameters = 'reject', messages = {} } = given
  const { defaultLimit = Math.min(defaultPaging.defaultLimit, maxLimit) } = given
  if (defaultLimit > maxLimit) {
    throw new InvalidOption(`Option 'defaultLimit': expected at most maxLimit (${maxLimit}); got ${defaultLimit}.`)
  }
  const texts = Object.entries(messages).filter(([, text]) => text !== undefined)
  return {
    defaultLimit,
    maxLimit,
    messages: Object.freeze({ ...defaultMessages, ...Object.fromEntries(texts) }),
    unknownParameters: typeof unknownParameters === 'string' ? unknownParameters : Object.freeze([...unknownParameters])
  }
}

function validate(given: Partial<ListingOptions>, required: readonly (keyof ListingOptions)[]): void {
  const names = Object.keys(rules) as (keyof typeof rules)[]
  for (const name of Object.keys(given)) {
    if (!names.some((known) => known === name) && !registerOptions.includes(name)) {
      const suggestion = suggestionFor(name, names)
      const hint = suggestion ? ` Did you mean '${suggestion}'?` : ''
      throw new InvalidOption(`Unknown option '${name}'.${hint} The options are: ${names.join(', ')}.`)
    }
  }
  for (const name of names) {
    const value = given[name]
    if (value === undefined && !required.includes(name)) continue
    const { expected, validate }: Rule = rules[name]
    const problem = validate(value)
    if (problem) throw new InvalidOption(`Option '${name}': expected ${expected}; got ${problem}.`)
  }
}
