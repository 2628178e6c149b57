/** What is asked of every host, and in short what the answer must be: the records' ids, or the error. */
import type { Answer, Caller } from '../support/hosts/server.js'

export interface Question {
  url: string
  /** None: without a token. */
  caller?: Caller
  /** `total: id, id` or `status: text`. */
  answer: string
}

const [even, odd, big] = ['9007199254740992', '9007199254740993', '18446744073709551615']
const every = `5, ${big}, ${even}, 7, 10, ${odd}, 12`

const admin = { userId: 7, role: 'Admin' }
const as = (role: string, userId: string) => ({ role, userId })

const list =
  (path: string) =>
  (search: string, caller: Caller, answer: string, more = '') => ({
    url: `${path}?search=${encodeURIComponent(search)}${more}`,
    caller,
    answer
  })
const limits = "The query parameter 'limit' must be a whole number from 1 to 100, in plain digits."
const ask = {
  numbers: list('/numbers/assessment/list'),
  numberPayments: list('/numbers/payment/list'),
  textPayments: list('/texts/payment/list')
}

export const questions: readonly Question[] = [
  ask.numbers('', admin, `7: ${every}`),
  // who sees what
  ask.numbers('', as('Individual', odd), `3: 5, ${big}, ${odd}`),
  ask.numbers('', as('Individual', even), `1: ${even}`),
  ask.numbers('', as('Practitioner', '12'), `5: 5, ${big}, 7, ${odd}, 12`),
  ask.numbers('e', as('Master Practitioner', big), `2: ${even}, 10`),
  ask.numbers('', as('Institutional', '12'), `5: 7, ${odd}`, '&page=2&limit=2'),
  ask.numbers('', as('Individual', '12abc'), '0: '),
  ask.numbers('', as('Individual', '12.0'), '0: '),
  ask.numbers('', as('Guest', '7'), '403: You do not have permission to access these assessments.'),
  // what is found
  ask.numbers('ADA@example', as('Super Admin', '7'), '1: 7'),
  ask.numbers('PRACTICE', admin, '1: 12'),
  ask.numbers('Ünï', admin, '1: 7'),
  ask.numbers('日本', admin, `1: ${even}`),
  ask.numbers('😀', admin, `3: 5, ${big}, ${odd}`),
  ask.numbers('_la%', admin, `3: 5, ${big}, ${odd}`),
  ask.numbers("'\\hara", admin, '1: 7'),
  ask.numbers('"', admin, '1: 12'),
  ask.numbers('', admin, `3: ${big}, 7, ${odd}`, '&status=completed'),
  ask.numbers('', admin, '7: ', '&page=99'),
  // payments
  ask.numberPayments('', admin, `5: 2, ${odd}, ${even}, 3, -1`),
  ask.numberPayments('PI_', admin, '4: 3, -1', '&page=2&limit=2'),
  ask.numberPayments('', admin, `2: ${odd}, 3`, '&processor_status=succeeded'),
  ask.numberPayments('日本', as('Guest', '7'), '1: 3'),
  ask.numberPayments("' or 1=1 -- ", admin, '0: '),
  ask.numberPayments("\\' or 1=1 -- ", as('Individual', "7' or '1'='1"), '0: '),
  // ids as text
  ask.textPayments('@EXAMPLE', admin, '9: 9, 8, 16, 15, 14, 13, 12, 11, 10'),
  ask.textPayments('', as('Individual', 'abc'), '1: 8'),
  ask.textPayments('', as('Individual', 'abc '), '1: 10'),
  ask.textPayments('', as('Practitioner', '12'), '1: 12'),
  ask.textPayments('ORDÉR 0', admin, '2: 16, 14'),
  ask.textPayments('@example', as('Practitioner', 'ÁBC'), '0: '),
  ask.textPayments('漢', admin, '0: '),
  // errors
  { url: '/numbers/assessment/list?search=', answer: '401: Invalid or expired token.' },
  ask.numbers('', admin, `400: ${limits}`, '&limit=101'),
  ask.textPayments('', as('Individual', 'broken'), '500: Internal server error.', '')
]

/** An answer in short. */
export function shortly({ status, body }: Answer): string {
  const records = body.assessments ?? body.data
  if (status !== 200 || !records) return `${status}: ${body.error}`
  return `${body.total}: ${records.map((record) => record.assessment_id ?? record.payment_id).join(', ')}`
}
