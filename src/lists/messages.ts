/** Every text that a client can read. A host may replace any of them, in any language. */

export interface Messages {
  /** `message` of a 200 answer of the assessment list. */
  assessmentsFound: string
  /** `message` of a 200 answer of the payment list. */
  paymentsFound: string
  /** 400: a required parameter is missing. `{name}` is replaced. */
  parameterMissing: string
  /** 400: the same parameter was given more than once. `{name}` is replaced. */
  parameterRepeated: string
  /** 400: the list has no such parameter. `{allowed}` is replaced by the names it has. */
  parameterUnknown: string
  /** 400: `page` or `limit` is not a plain decimal integer within its bounds. `{name}` and `{maximum}` are replaced. */
  parameterNotInteger: string
  /** 400: the value is none of the allowed ones. `{name}` and `{allowed}` are replaced. */
  parameterNotAllowed: string
  /** 400: the text is too long. `{name}` and `{maximum}` (characters) are replaced. */
  parameterTooLong: string
  /** 400: the text holds control characters. `{name}` is replaced. */
  parameterControlCharacters: string
  /** 400: the query string is not valid percent-encoded UTF-8. */
  queryEncoding: string
  /** 401: the token is missing, invalid or expired. */
  unauthorized: string
  /** 403 on the assessment list. */
  assessmentsForbidden: string
  /** 403 on the payment list. */
  paymentsForbidden: string
  /** 500: anything unexpected. */
  internal: string
  /** 503: the database, or what is asked for the role, cannot be reached. */
  unavailable: string
  /** 504: the deadline passed. */
  timeout: string
}

export const defaultMessages: Readonly<Messages> = Object.freeze({
  assessmentsFound: 'Assessments retrieved successfully.',
  paymentsFound: 'Payments retrieved successfully.',
  parameterMissing: "The query parameter '{name}' is required; it may be empty.",
  parameterRepeated: "The query parameter '{name}' must be given only once.",
  parameterUnknown: 'A query parameter is not known; allowed are: {allowed}.',
  parameterNotInteger: "The query parameter '{name}' must be a whole number from 1 to {maximum}, in plain digits.",
  parameterNotAllowed: "The query parameter '{name}' must be one of: {allowed}.",
  parameterTooLong: "The query parameter '{name}' must have at most {maximum} characters.",
  parameterControlCharacters: "The query parameter '{name}' must not contain control characters.",
  queryEncoding: 'The query string must be percent-encoded UTF-8.',
  unauthorized: 'Invalid or expired token.',
  assessmentsForbidden: 'You do not have permission to access these assessments.',
  paymentsForbidden: 'You do not have permission to access these payments.',
  internal: 'Internal server error.',
  unavailable: 'Service temporarily unavailable.',
  timeout: 'The request took too long.'
})

/** Puts the values into a message: `fill('from 1 to {maximum}', { maximum: 100 })`. */
export const fill = (message: string, values: Record<string, string | number>): string =>
  message.replace(/\{(\w+)\}/g, (placeholder, name: string) =>
    Object.hasOwn(values, name) ? String(values[name]) : placeholder
  )
