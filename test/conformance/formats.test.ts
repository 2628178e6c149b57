import t from 'tap'
import { type Fault, findsFaults, onItems, onStatus } from '../support/faults.js'

/** A field of every item, changed. */
const field = (list: Fault['list'], name: string, value: unknown, message: RegExp): Fault => ({
  list,
  message,
  wrong: onItems((item) => {
    if (value === undefined) delete item[name]
    else item[name] = value
  })
})

findsFaults(t, 'every field has its format', {
  milliseconds: field(
    'assessments',
    'date_assignment',
    '2024-03-01T09:30:00.000Z',
    /^GET \/assessment\/list\?search=&page=1&limit=1 as the Individual: date_assignment of record \d+ is '2024-03-01T09:30:00\.000Z', expected \/\^\$\|\^\\d/
  ),
  'a conclusion that is empty and not null': field(
    'assessments',
    'date_conclusion',
    '',
    /date_conclusion of record \d+ is ''/
  ),
  'a time in UTC where it is local': field(
    'payments',
    'created_at',
    '2024-03-01T09:30:00Z',
    /created_at of record \d+ is/
  ),
  'a date without time': field('payments', 'paid_at', '2024-03-01', /paid_at of record \d+ is '2024-03-01'/),
  'an amount as text': field(
    'payments',
    'amount',
    '10.50',
    /^GET \/payment\/list\?search= as the Individual: data\/0\/amount: Expected number, got "10\.50"\.$/
  ),
  'a number of pieces that is not whole': field(
    'payments',
    'quantity',
    1.5,
    /data\/0\/quantity: Expected integer, got 1\.5\.$/
  ),
  'an id that is a number': field('payments', 'user_name', 'Ada', /data\/0\/user_name: Unexpected property/),
  'a field that is missing': field(
    'assessments',
    'avatarUrl',
    undefined,
    /assessments\/0\/avatarUrl: Expected required property/
  ),
  'another state': field('assessments', 'licence', null, /assessments\/0\/licence: Expected string, got null\.$/),
  'organizations in another order': field(
    'assessments',
    'org_names',
    ['b', 'a'],
    /org_names of record \d+ has duplicates, or is not in code point order\.$/
  ),
  'an organization twice': field('assessments', 'org_names', ['a', 'a'], /org_names of record \d+/),
  'another text': {
    list: 'payments',
    message:
      /^GET \/payment\/list\?search= as the Individual: expected the message 'Payments retrieved successfully\.', got '.*'\.$/,
    wrong: onStatus(200, ({ body }) => {
      body.message = 'OK'
    })
  },
  'an answer that may be kept': {
    list: 'payments',
    message:
      /^GET \/payment\/list\?search= as the Individual: expected the header cache-control: private, no-store, got .*\.$/,
    wrong: onStatus(200, ({ headers }) => {
      headers['cache-control'] = 'public'
    })
  }
})
