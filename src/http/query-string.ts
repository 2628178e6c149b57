/** Reads query strings. The host can configure Fastify's parser and validator, but contract 7 to 24 always holds. */
import type { TObject, TSchema } from '@sinclair/typebox'
import { Failure } from '../errors/failure.js'
import type { TimeParameter } from '../lists/dates.js'
import type { List } from '../lists/list.js'
import { fill, type SharedMessages } from '../options/messages.js'
import type { ListRequest, Page } from '../query/plan.js'

/** @throws Failure of the kind `parameter` */
export type QueryReader = (url: string) => Pick<ListRequest, 'page' | 'parameters'>

/**
 * Reads and checks the query string of a URL: the page with defaults, and the other parameters that are not empty.
 *
 * @param filters the filters of the list, whose ranges take times
 */
export function queryReader(
  schema: TObject,
  unknown: 'reject' | 'ignore' | readonly string[],
  messages: SharedMessages,
  filters: List['filters'] = {}
): QueryReader {
  const properties = new Map(Object.entries(schema.properties))
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

  const readText = (name: string, text: string, { maxLength, enum: values }: TSchema): string => {
    if (text !== '' && values && !values.includes(text)) {
      refuse('parameterNotAllowed', { name, allowed: values.join(', ') })
    }
    // A character has one or two code units.
    if (text.length > maxLength && [...text].length > maxLength) {
      refuse('parameterTooLong', { name, maximum: maxLength })
    }
    if (/\p{Cc}/u.test(text)) refuse('parameterControlCharacters', { name })
    return text
  }

  const readTime = (name: string, text: string, { read, forms }: TimeParameter): string =>
    read(text) ?? refuse('parameterNotTime', { name, ...forms })

  return (url) => {
    const texts = new Map<string, string>()
    for (const [name, text] of pairsOf(url) ?? refuse('queryEncoding')) {
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
        if (schema.required?.includes(name)) refuse('parameterMissing', { name })
      } else if (readText(name, text, property) !== '') {
        // An empty value filters nothing (contract 9 and 13).
        const time = filters[name]?.time
        parameters[name] = time ? readTime(name, text, time) : text
      }
    }
    return { page: page as unknown as Page, parameters }
  }
}

/**
 * Writes parameters as a URL for a query reader.
 *
 * @throws Failure for a value that no query string has
 */
export const urlOf = (parameters: object): string =>
  `?${Object.entries(parameters)
    .flatMap(([name, value]) => [value].flat().map((each) => [name, each] as const))
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${encoded(name)}=${encoded(textOf(name, value))}`)
    .join('&')}`

function textOf(name: string, value: unknown): string {
  if (['string', 'number', 'bigint'].includes(typeof value)) return String(value)
  throw new Failure('parameter', `The query parameter '${name}' must be a text or a number.`)
}

/** Half of a surrogate pair is no UTF-8. The reader refuses `%`, too. */
const encoded = (text: string): string => (/\p{Cs}/u.test(text) ? '%' : encodeURIComponent(text))

/** @returns undefined for a URL that is not percent-encoded UTF-8 */
function pairsOf(url: string): [name: string, value: string][] | undefined {
  // A router with `useSemicolonDelimiter` ends a path at `;`, and no path of a list has one.
  const start = url.search(/[?;#]/)
  const query = start < 0 ? '' : url.slice(start + 1)
  // A request target has neither a `#` nor unencoded characters (RFC 9112, section 3.2).
  if (url[start] === '#' || /[^!-~]|#/.test(query)) return undefined
  // A `+` is a space (contract 7).
  const pairs = query.replaceAll('+', ' ').split('&').filter(Boolean)
  try {
    return pairs.map((pair) => {
      const end = `${pair}=`.indexOf('=')
      return [decodeURIComponent(pair.slice(0, end)), decodeURIComponent(pair.slice(end + 1))]
    })
  } catch {
    return undefined
  }
}
