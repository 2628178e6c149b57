/** Options of any kind, as a host in plain JavaScript may give them, and what is said about wrong ones. */
import { Kysely, MysqlDialect } from 'kysely'
import type { Test } from 'tap'
import { describe } from '../../../src/errors/describe.js'
import type { Rule } from '../../../src/lists/mistakes/rules.js'
import { defaultLists } from '../../../src/lists/ready/index.js'
import { rulesFor } from '../../../src/options/rules.js'
import { type GivenOptions, type Settings, settingsOf } from '../../../src/options/settings.js'

export const db = new Kysely<Record<string, Record<string, unknown>>>({
  dialect: new MysqlDialect({ pool: {} as never })
})
export const resolveRole = () => null

/** The required options are there. */
export const read = (options: Record<string, unknown> = {}): Settings =>
  settingsOf({ db, resolveRole, ...options } as unknown as GivenOptions)

/** What is said about wrong options; undefined when nothing is. */
export function complaint(options: Record<string, unknown>): string | undefined {
  try {
    read(options)
    return undefined
  } catch (error) {
    if (error instanceof TypeError && Object(error).code === 'FST_LISTING_INVALID_OPTION') return error.message
    throw error
  }
}

export const rules: Record<string, Rule> = rulesFor(defaultLists)

/** A value, and the words for it where these are not those of `describe`. */
const words = new Map<unknown, string>()
export const told = (value: unknown, text: string) => {
  words.set(value, text)
  return value
}

/** The option is named, with what is expected and what came. */
export function refuses(t: Test, name: string, values: readonly unknown[]): void {
  for (const value of values) {
    const message = complaint({ [name]: value })
    const got = words.get(value) ?? describe(value)
    t.equal(message, `Option '${name}': expected ${rules[name]?.expected}; got ${got}.`)
    t.notMatch(message, 'hunter2')
  }
}
