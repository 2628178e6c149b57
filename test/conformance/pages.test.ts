import t from 'tap'
import { conformance } from '../../src/conformance/index.js'
import { findsFaults, isPlain, onItems, onStatus } from '../support/faults.js'
import { handWritten, rules } from '../support/hand-written.js'

findsFaults(t, 'the total is what paging finds', {
  'it counts one too many': {
    list: 'payments',
    message: /^GET \/payment\/list\?search= as the Individual: expected 4 of 4 records, got 3\.$/,
    wrong: onStatus(200, ({ body }, asked) => {
      if (isPlain(asked) && asked.caller?.reach.payments === 'own') body.total = 4
    })
  },
  'a page past the end has none': {
    list: 'assessments',
    message:
      /^GET \/assessment\/list\?search=&page=4&limit=1 as the Individual: the total is 0; without page and limit it was 3\.$/,
    wrong: onStatus(200, ({ body }) => {
      if (Array.isArray(body.assessments) && body.assessments.length === 0) body.total = 0
    })
  },
  'it comes as text': {
    list: 'payments',
    message: /^GET \/payment\/list\?search= as the Individual: expected 'page' to be 1, got 1\.$/,
    wrong: onStatus(200, ({ body }) => {
      body.page = '1'
    }),
    also: ['every answer has the form of the list']
  },
  'another page size without a limit': {
    list: 'payments',
    message: /^GET \/payment\/list\?search= as the Admin: expected 12 of 31 records, got 10\.$/,
    wrong: onStatus(200, ({ body }, { parameters }) => {
      if (!parameters.has('limit')) body.data = (body.data as unknown[]).slice(0, 10)
    })
  },
  'nobody has records': {
    list: 'assessments',
    message: /^No caller sees any assessments, so nothing is checked: insert some into the database\.$/,
    wrong: { isVisible: () => false }
  }
})

findsFaults(t, 'no record comes twice', {
  'each page begins with the last record of the one before': {
    list: 'payments',
    message:
      /^GET \/payment\/list\?search=&page=2&limit=1 as the Individual: record \d+ is also in the answer to GET \/payment\/list\?search=&page=1&limit=1 as the Individual\.$/,
    // as it happens when the database orders ties anew for each page
    wrong: { offset: (asked) => rules.offset(asked) - (asked.page === 2 ? 1 : 0) },
    // what stands nowhere else is missed
    also: ['in the order of the list', 'every caller sees the records within their reach, and no others']
  }
})

findsFaults(t, 'in the order of the list', {
  'the oldest come first': {
    list: 'payments',
    message:
      /^GET \/payment\/list\?search=&page=1&limit=7 as the Admin: record 30 of 2024-02-01 12:00:00 comes after 99 of 2023-01-01 00:00:00\.$/,
    wrong: { compare: (a, b) => a.created.localeCompare(b.created) || b.id - a.id }
  },
  'another order for another page size': {
    list: 'assessments',
    message:
      /^GET \/assessment\/list\?search= as the Individual: record \d+ is at the place of record \d+ in GET \/assessment\/list\?search=&page=1&limit=1 as the Individual\.$/,
    wrong: {
      compare: (a, b, asked) => (asked.parameters.has('limit') ? rules.compare(a, b, asked) : a.id - b.id)
    }
  }
})

t.test('a caller without records may be the last one', async (t) => {
  const host = handWritten({ isVisible: (entry, asked) => rules.isVisible(entry, asked) && entry.userId !== 30 })
  for (const { name, run } of conformance(() => host)) await t.resolves(run(), name)
})

t.test('a list that none of the callers may see has no records to count', async (t) => {
  const { app, callers } = handWritten()
  const refused = callers.filter(({ reach }) => reach.assessments === 'none')
  t.equal(refused.length, 1)
  for (const { name, run } of conformance(() => ({ app, callers: refused }))) await t.resolves(run(), name)
})

findsFaults(t, 'every answer has the form of the list', {
  'a hook that adds to the body': {
    list: 'payments',
    message: /as the Individual: .*Unexpected property/,
    wrong: onStatus(200, ({ body }) => {
      body.took = 5
    })
  },
  'a hook that turns a number into a text': {
    list: 'payments',
    message: /^GET \/payment\/list\?search= as the Individual: data\/0\/amount: Expected number, got "10\.50"\.$/,
    wrong: onItems((item) => {
      item.amount = '10.50'
    })
  },
  'an answer that may be kept': {
    list: 'payments',
    message: / expected the header cache-control: private, no-store, got public\.$/,
    wrong: onStatus(200, ({ headers }) => {
      headers['cache-control'] = 'public'
    })
  }
})
