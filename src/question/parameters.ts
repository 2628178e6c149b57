/** Checks the values of a query (contract 7 to 24). The host can configure Fastify's validator, but these rules always hold. */
import type { TSchema } from '@sinclair/typebox'
import { Failure } from '../errors/failure.js'
import type { TimeParameter } from '../lists/dates.js'
import type { List } from '../lists/list.js'
import type { Paging } from '../lists/paging.js'
import { querySchema } from '../lists/schemas.js'
import { fill, type SharedMessages } from '../options/messages.js'
import type { Page, Question } from './question.js'

export type Pairs = readonly (readonly [name: string, text: string])[]

type Values = Pick<Question, 'page' | 'parameters'>

interface Rules extends Paging {
  readonly unknownParameters: 'reject' | 'ignore' | readonly string[]
  readonly messages: SharedMessages
}

/**
 * Returns the page with defaults, and the other parameters that are not empty.
 *
 * @param pairs the parameters of a query. Undefined for a query string that cannot be read
 * @param isPaged whether the query has the parameters `page` and `limit`
 * @throws Failure of the kind `parameter`
 */
export type ParameterReader = (pairs: Pairs | undefined) => Values

export function parameterReader(
  list: Pick<List, 'parameters' | 'filters'>,
  rules: Rules,
  isPaged = true
): ParameterReader {
  const { messages, unknownParameters: unknown } = rules
  const { properties: all, required = [] } = querySchema(list.parameters, rules)
  const properties = new Map(Object.entries<TSchema>(isPaged ? all : list.parameters))
  const allowed = new Set([...properties.keys(), ...(Array.isArray(unknown) ? unknown : [])])

  const refuse = (rule: keyof SharedMessages, values: Record<string, string | number> = {}): never => {
    throw new Failure('parameter', fill(messages[rule], values))
  }

  /** The log does not name the parameter, because the name can hold personal data. */
  const refuseUnknown = (parameter: string): never => {
    const name = [...parameter].slice(0, 64).join('')
    const failure = new Failure('parameter', 'The request has an unknown query parameter.')
    failure.clientMessage = fill(messages.parameterUnknown, { name, allowed: [...allowed].join(', ') })
    throw failure
  }

  const readInteger = (name: string, text: string, { maximum }: TSchema): number =>
    /^[1-9][0-9]{0,15}$/.test(text) && Number(text) <= maximum
      ? Number(text)
      : refuse('parameterNotInteger', { name, maximum })

  const checkText = (name: string, text: string, { maxLength, enum: values }: TSchema): void => {
    if (text !== '' && values && !values.includes(text)) {
      refuse('parameterNotAllowed', { name, allowed: values.join(', ') })
    }
    // A character has one or two code units.
    if (text.length > maxLength && [...text].length > maxLength) {
      refuse('parameterTooLong', { name, maximum: maxLength })
    }
    if (/\p{Cc}/u.test(text)) refuse('parameterControlCharacters', { name })
  }

  const readTime = (name: string, text: string, { read, forms }: TimeParameter): string =>
    read(text) ?? refuse('parameterNotTime', { name, ...forms })

  return (pairs) => {
    const texts = new Map<string, string>()
    for (const [name, text] of pairs ?? refuse('queryEncoding')) {
      if (properties.has(name)) {
        if (texts.has(name)) refuse('parameterRepeated', { name })
        texts.set(name, text)
      } else if (unknown !== 'ignore' && !allowed.has(name)) refuseUnknown(name)
    }
    const parameters: Record<string, string> = {}
    const page: Record<string, number> = {}
    for (const [name, property] of properties) {
      const text = texts.get(name)
      if (property.type === 'integer') {
        page[name] = text === undefined ? property.default : readInteger(name, text, property)
      } else if (text === undefined) {
        if (required.includes(name)) refuse('parameterMissing', { name })
      } else {
        checkText(name, text, property)
        const time = list.filters[name]?.time
        // An empty value filters nothing (contract 9 and 13).
        if (text !== '') parameters[name] = time ? readTime(name, text, time) : text
      }
    }
    return { page: page as unknown as Page, parameters }
  }
}
