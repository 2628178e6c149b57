import t from 'tap'
import { type Fault, findsFaults, onItems, onStatus } from '../support/faults.js'

/** A field of every item, changed. */
const field = (list: Fault['list'], name: string, value: unknown, message: RegExp): Fault => ({
  list,
  message,
  wrong: onItems((item) => {
    item[name] = value
  })
})

findsFaults(t, 'every field has its format', {
  milliseconds: field(
    'assessments',
    'date_assignment',
    '2024-03-01T09:30:00.000Z',
    /^GET \/assessment\/list\?search=&page=1&limit=1 as the Individual: date_assignment of record \d+ is '2024-03-01T09:30:00\.000Z', expected \/\^\$\|\^\\d/
  ),
  'an amount as text': field(
    'payments',
    'amount',
    '10.50',
    /^GET \/payment\/list\?search= as the Individual: data\/0\/amount: Expected number, got "10\.50"\.$/
  ),
  'organizations in another order': field(
    'assessments',
    'org_names',
    ['b', 'a'],
    /org_names of record \d+ has duplicates, or is not in code point order\.$/
  ),
  'another text': {
    list: 'payments',
    message: / expected the message 'Payments retrieved successfully\.', got 'OK'\.$/,
    wrong: onStatus(200, ({ body }) => {
      body.message = 'OK'
    })
  },
  'an answer that may be kept': {
    list: 'payments',
    message: / expected the header cache-control: private, no-store, got public\.$/,
    wrong: onStatus(200, ({ headers }) => {
      headers['cache-control'] = 'public'
    })
  },
  'another media type': {
    list: 'payments',
    message:
      / expected the header content-type: application\/json; charset=utf-8, got application\/problem\+json; charset=utf-8\.$/,
    wrong: onStatus(200, ({ headers }) => {
      headers['content-type'] = 'application/problem+json; charset=utf-8'
    })
  }
})

findsFaults(t, 'every field has its format', {
  'a later page may be kept by caches': {
    list: 'payments',
    message: /&limit=\d+ as the Individual: expected the header cache-control: private, no-store, got public\.$/,
    wrong: onStatus(200, ({ headers }, { parameters }) => {
      if (parameters.has('limit')) headers['cache-control'] = 'public'
    })
  }
})
