/** The texts that the plugin sends to clients. */

/** The client texts by name. The option `messages` replaces them. A placeholder such as `{name}` becomes its value. */
export interface Messages {
  /** `message` of a 200 answer of the assessment list. */
  assessmentsFound: string
  /** `message` of a 200 answer of the payment list. */
  paymentsFound: string
  /** 400: a required parameter is missing. Placeholder: `{name}`. */
  parameterMissing: string
  /** 400: a parameter is repeated. Placeholder: `{name}`. */
  parameterRepeated: string
  /** 400: the list does not have the parameter. Placeholders: `{name}`, of at most 64 characters, and `{allowed}`. */
  parameterUnknown: string
  /** 400: `page` or `limit` is not an integer from 1 to the maximum. Placeholders: `{name}`, `{maximum}`. */
  parameterNotInteger: string
  /** 400: the value is not allowed. Placeholders: `{name}`, `{allowed}`. */
  parameterNotAllowed: string
  /** 400: the text is too long. Placeholders: `{name}`, `{maximum}` (characters). */
  parameterTooLong: string
  /** 400: the text contains control characters. Placeholder: `{name}`. */
  parameterControlCharacters: string
  /** 400: the query string is not valid percent-encoded UTF-8. */
  queryEncoding: string
  /** 401: the token is missing, invalid or expired. */
  unauthorized: string
  /** 403: the caller's role may not see assessments. */
  assessmentsForbidden: string
  /** 403: the caller's role may not see payments. */
  paymentsForbidden: string
  /** 500: an unexpected error. */
  internal: string
  /** 503: the database or another server that the request needs cannot be reached. */
  unavailable: string
  /** 504: the deadline passed. */
  timeout: string
}

export const defaultMessages: Readonly<Messages> = Object.freeze({
  assessmentsFound: 'Assessments retrieved successfully.',
  paymentsFound: 'Payments retrieved successfully.',
  parameterMissing: "The query parameter '{name}' is required; it may be empty.",
  parameterRepeated: "The query parameter '{name}' must be given only once.",
  parameterUnknown: "The query parameter '{name}' is not known; allowed are: {allowed}.",
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

/** Replaces placeholders: `fill('from 1 to {maximum}', { maximum: 100 })`. */
export const fill = (message: string, values: Record<string, string | number>): string =>
  message.replace(/\{(\w+)\}/g, (placeholder, name: string) =>
    Object.hasOwn(values, name) ? String(values[name]) : placeholder
  )
