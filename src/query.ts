/**
 * Reads a request's query string by a list's parameter schema. Our own reader and not the host's query
 * parser and validator, since their settings differ from host to host: what `page=1e3`, `page=`, a
 * repeated or an unknown parameter means must not (contract B2 to B4).
 */
import type { TObject, TSchema } from '@sinclair/typebox'
import { Failure } from './errors.js'
import { fill, type Messages } from './messages.js'

/** The parameters by name, with their defaults; one that was not given, or was given empty, is left out. */
export type Parameters = Record<string, string | number>

/** Reads the query string of a URL. Throws a `parameter` Failure, whose message is for the client. */
export type QueryReader = (url: string) => Parameters

/**
 * @param unknown what to do with names that the schema does not have
 * @param withSemicolon whether the host's router also ends a path at a `;`
 */
export function queryReader(
  schema: TObject,
  unknown: 'reject' | 'ignore' | readonly string[],
  messages: Readonly<Messages>,
  withSemicolon: boolean
): QueryReader {
  const delimiter = withSemicolon ? /[?;#]/ : /[?#]/
  const properties = new Map(Object.entries(schema.properties))
  const alsoAllowed = Array.isArray(unknown) ? unknown : []
  const allowed = [...new Set([...properties.keys(), ...alsoAllowed])]
  const required = new Set(schema.required)

  const refuse = (rule: keyof Messages, values: Record<string, string | number> = {}): never => {
    throw new Failure('parameter', fill(messages[rule], values))
  }

  const readInteger = (name: string, text: string, { maximum }: TSchema): number =>
    /^[1-9][0-9]{0,15}$/.test(text) && Number(text) <= maximum
      ? Number(text)
      : refuse('parameterNotInteger', { name, maximum })

  const readText = (name: string, text: string, { maxLength, enum: values }: TSchema): string => {
    if (text !== '' && values && !values.includes(text)) {
      refuse('parameterNotAllowed', { name, allowed: values.join(', ') })
    }
    // a character may be two code units, but never more
    if (text.length > maxLength && [...text].length > maxLength) {
      refuse('parameterTooLong', { name, maximum: maxLength })
    }
    if (/\p{Cc}/u.test(text)) refuse('parameterControlCharacters', { name })
    return text
  }

  return (url) => {
    const given = new Map<string, string>()
    for (const [name, text] of pairsOf(url, delimiter, () => refuse('queryEncoding'))) {
      if (!properties.has(name)) {
        if (unknown !== 'ignore' && !alsoAllowed.includes(name))
          refuse('parameterUnknown', { allowed: allowed.join(', ') })
        continue
      }
      if (given.has(name)) refuse('parameterRepeated', { name })
      given.set(name, text)
    }
    const parameters: Parameters = {}
    for (const [name, property] of properties) {
      const text = given.get(name)
      if (text === undefined) {
        if (required.has(name)) refuse('parameterMissing', { name })
        if (property.default !== undefined) parameters[name] = property.default
        continue
      }
      const value = property.type === 'integer' ? readInteger(name, text, property) : readText(name, text, property)
      if (value !== '') parameters[name] = value
    }
    return parameters
  }
}

/** The decoded names and values of a URL's query string, as HTML forms and URLSearchParams write them. */
function* pairsOf(url: string, delimiter: RegExp, refuse: () => never): Generator<[name: string, value: string]> {
  const start = url.search(delimiter)
  const query = start < 0 ? '' : url.slice(start + 1)
  // A byte that is not printable ASCII stands there only if the client did not encode it, and a `#` is no
  // part of a request's URL (RFC 9112, section 3.2).
  if (url[start] === '#' || /[^!-~]|#/.test(query)) refuse()
  for (const pair of query.split('&')) {
    if (pair === '') continue
    const end = `${pair}=`.indexOf('=')
    yield [decode(pair.slice(0, end), refuse), decode(pair.slice(end + 1), refuse)]
  }
}

function decode(text: string, refuse: () => never): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    return refuse()
  }
}
