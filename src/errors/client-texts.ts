/** The texts that the plugin sends to clients. */
import { STATUS_CODES } from 'node:http'
import type { Failure } from './failure.js'

export const defaultMessages = Object.freeze({
  /** 400: a required parameter is missing. Placeholder: `{name}`. */
  parameterMissing: "The query parameter '{name}' is required; it may be empty.",
  /** 400: a parameter is repeated. Placeholder: `{name}`. */
  parameterRepeated: "The query parameter '{name}' must be given only once.",
  /** 400: the list does not have the parameter. Placeholders: `{name}`, of at most 64 characters, and `{allowed}`. */
  parameterUnknown: "The query parameter '{name}' is unknown. Allowed: {allowed}.",
  /** 400: `page` or `limit` is not an integer from 1 to the maximum. Placeholders: `{name}`, `{maximum}`. */
  parameterNotPositive: "The query parameter '{name}' must be a whole number from 1 to {maximum}, in plain digits.",
  /** 400: the value is not allowed. Placeholders: `{name}`, `{allowed}`. */
  parameterNotAllowed: "The query parameter '{name}' must be one of: {allowed}.",
  /** 400: the value is not a time, or has another form. Placeholders: `{name}`, and the forms `{day}` and `{time}`. */
  parameterNotTime: "The query parameter '{name}' must be a date and time in the form {day} or {time}.",
  /** 400: the value is not a date, or has another form. Placeholders: `{name}`, and the form `{day}`. */
  parameterNotDate: "The query parameter '{name}' must be a date in the form {day}.",
  /** 400: the value is not a number in plain digits. Placeholder: `{name}`. */
  parameterNotNumber:
    "The query parameter '{name}' must be a number such as 12 or -3.5, with at most 16 digits before the point and 10 after it.",
  /** 400: the value is not a whole number in plain digits. Placeholder: `{name}`. */
  parameterNotInteger: "The query parameter '{name}' must be a whole number such as 12 or -3, with at most 16 digits.",
  /** 400: the start of a range is greater than its end. Placeholders: `{name}` and `{other}`, the two parameters. */
  parameterRangeReversed: "The query parameter '{name}' must not be greater than '{other}'.",
  /** 400: a parameter has more values than it may have. Placeholders: `{name}`, `{maximum}`. */
  parameterTooMany: "The query parameter '{name}' must be given at most {maximum} times.",
  /** 400: the text is too long. Placeholders: `{name}`, `{maximum}` (characters). */
  parameterTooLong: "The query parameter '{name}' must have at most {maximum} characters.",
  /** 400: the list's own form of the search term is too long. Placeholder: `{name}`. */
  termTooLong: "The query parameter '{name}' is too long for this list; use a shorter one.",
  /** 400: the text contains control characters. Placeholder: `{name}`. */
  parameterControlCharacters: "The query parameter '{name}' must not contain control characters.",
  /** 400: the text is no `next` of this list, or is one for another `sort`. Placeholder: `{name}`. */
  parameterNotNext: "The query parameter '{name}' must be a `next` that this list gave for the same `sort`.",
  /** 400: the query string is not valid percent-encoded UTF-8. */
  queryEncoding: 'The query string must be percent-encoded UTF-8.',
  /** 401: the token is missing, invalid or expired. */
  unauthorized: 'Invalid or expired token.',
  /** 500: an unexpected error. */
  internal: 'Internal server error.',
  /** 503: the database or another server that the request needs cannot be reached. */
  unavailable: 'Service temporarily unavailable.',
  /** 504: the deadline passed. */
  timeout: 'The request took too long.'
})

/** The texts of all lists. */
export type SharedMessages = { -readonly [Name in keyof typeof defaultMessages]: string }

/** The client texts by name. The option `messages` replaces them. A placeholder such as `{name}` becomes its value. */
export type ListingMessages = SharedMessages & {
  /** `message` of a 200 answer of the assessment list. */
  assessmentsFound: string
  /** 403: the caller's role may not see assessments. */
  assessmentsForbidden: string
  /** `message` of a 200 answer of the payment list. */
  paymentsFound: string
  /** 403: the caller's role may not see payments. */
  paymentsForbidden: string
}

/** @returns for example, `['{name}', '{maximum}']` */
export const placeholdersIn = (message: string): string[] => message.match(/\{[^{}]*\}/g) ?? []

/** Replaces placeholders: `fill('from 1 to {maximum}', { maximum: 100 })`. */
export const fill = (message: string, values: Record<string, string | number>): string =>
  message.replace(/\{(\w+)\}/g, (placeholder, name: string) =>
    Object.hasOwn(values, name) ? String(values[name]) : placeholder
  )

interface ListTexts {
  readonly messages: { readonly forbidden: string }
  readonly record?: { readonly messages: { readonly notFound: string } } | undefined
}

/** What a client reads of a failure, by HTTP and without. */
export function clientTextOf(
  { kind, message, clientMessage = message, statusCode }: Failure,
  list: ListTexts,
  messages: SharedMessages
): string {
  if (kind === 'parameter' || kind === 'aborted') return clientMessage
  if (kind === 'host') return `${STATUS_CODES[statusCode] ?? 'Error'}.`
  // Only the route of a record answers so.
  if (kind === 'notFound') return list.record?.messages.notFound ?? clientMessage
  return kind === 'forbidden' ? list.messages.forbidden : messages[kind]
}
