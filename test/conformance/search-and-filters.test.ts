import t from 'tap'
import { conformance } from '../../src/conformance/index.js'
import { ListUnderTest } from '../../src/conformance/list-under-test.js'
import { filtersKeepWhatTheyName, searchIsLiteral } from '../../src/conformance/search-and-filters.js'
import { payments } from '../../src/lists/payments.js'
import { settingsOf } from '../../src/options/settings.js'
import { findsFaults, onItems, onStatus } from '../support/faults.js'
import { handWritten, rules } from '../support/hand-written.js'
import { quietChecks } from '../support/host-lists.js'

const like = (text: string, term: string) => {
  const pattern = term
    .replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
    .replaceAll('%', '.*')
    .replaceAll('_', '.')
  return new RegExp(pattern, 'i').test(text)
}

findsFaults(t, 'search takes its term literally, and adds nothing', {
  'wildcards work': {
    list: 'payments',
    message: /^GET \/payment\/list\?search=%25&limit=100 as the Individual: record \d+ does not match\.$/,
    wrong: { isFound: ({ texts }, { search }) => texts.some((text) => like(text, search)) }
  },
  'the case of letters matters': {
    list: 'assessments',
    message:
      /^GET \/assessment\/list\?search=aDA&limit=100 as the Individual: record \d+ of user \d+ is missing, but is in the answer to GET \/assessment\/list\?search=&page=1&limit=1 as the Individual\.$/,
    wrong: { isFound: ({ texts }, { search }) => texts.some((text) => text.includes(search)) }
  },
  'the fields are searched as one text': {
    list: 'assessments',
    message:
      /^GET \/assessment\/list\?search=Ada\+Lovelace\+ada%40example\.org&limit=100 as the Individual: record \d+ does not match\.$/,
    wrong: { isFound: ({ texts }, { search }) => texts.join(' ').toLowerCase().includes(search.toLowerCase()) }
  },
  'it goes beyond the reach': {
    list: 'payments',
    message:
      /^GET \/payment\/list\?search=%25&limit=100 as the Individual: record \d+ is of user \d+, but the reach of the Individual \(user 1\) is 'own'\.$/,
    wrong: {
      isVisible: (entry, asked) => rules.isVisible(entry, asked) || (asked.search !== '' && asked.status === '')
    }
  },
  'a record is repeated': {
    list: 'payments',
    message:
      /^GET \/payment\/list\?search=[^&]+&limit=100 as the Individual: record \d+ should not be in the answer\.$/,
    wrong: onStatus(200, ({ body }, { search, status, caller }) => {
      if (search === '' || status !== '' || caller?.userId !== 1) return
      const data = body.data as unknown[]
      body.data = [...data, ...data.slice(-1)]
      if (data.length > 0) body.total = data.length + 1
    })
  },
  'the total does not know of it': {
    list: 'payments',
    message: /^GET \/payment\/list\?search=%25&limit=100 as the Individual: the total is 3, but 0 records match\.$/,
    wrong: onStatus(200, ({ body }, { search, status, caller }) => {
      if (search !== '' && status === '' && caller?.userId === 1) body.total = 3
    })
  }
})

findsFaults(t, 'filters keep what they name, and add nothing', {
  'one does nothing': {
    list: 'payments',
    message:
      /^GET \/payment\/list\?search=&processor_status=no\+such\+status&limit=100 as the Individual: record \d+ does not match\.$/,
    wrong: { hasStatus: () => true }
  },
  'the empty one keeps nothing': {
    list: 'assessments',
    message: /as the Individual: record \d+ of user \d+ is missing/,
    wrong: { hasStatus: (entry, asked) => (asked.parameters.has('status') ? entry.status === asked.status : true) }
  },
  'search and filter are alternatives': {
    list: 'assessments',
    message: /search=[^&]+&status=\w+&limit=100 as the Individual: record \d+ does not match\.$/,
    wrong: {
      hasStatus: (entry, asked) => rules.hasStatus(entry, asked) || (asked.search !== '' && rules.isFound(entry, asked))
    }
  }
})

t.test('beyond ASCII the database decides what matches', async (t) => {
  // Many collations take é for e, and ％ for %.
  const host = handWritten({
    isFound: (entry, asked) => rules.isFound(entry, asked) || (entry.userId === 3 && /^(ben|%)$/i.test(asked.search)),
    ...onItems((item) => {
      if (item.first_name === 'Cleo') item.first_name = 'Bén％'
    })
  })
  const checks = conformance(() => host).filter(({ name }) => name.startsWith('assessments'))
  for (const { name, run } of checks) await t.resolves(run(), name)
})

t.test('a search is tried though nobody has a last name', async (t) => {
  const host = handWritten({
    isFound: ({ texts }, { search }) => texts.some((text) => text.includes(search)),
    ...onItems((item) => {
      if ('last_name' in item) item.last_name = ''
    })
  })
  const search = conformance(() => host).find(({ name }) => /^assessments: search/.test(name))
  await t.rejects(async () => search?.run(), /search=aDA/)
})

t.test('a total of more than a page is held against all that the caller sees', async (t) => {
  for (const [total, maxLimit, range] of [
    [1000, 7, /the total is 1000, but 31 to 31 records match/],
    [1000, 3, /the total is 1000, but 3 to 31 records match/],
    [1, 3, /the total is 1, but 3 to 31 records match/]
  ] as const) {
    const host = handWritten(
      onStatus(200, ({ body }, { search }) => {
        if (search === '_') body.total = total
      })
    )
    const checks = conformance(() => ({ ...host, callers: host.callers.slice(4, 5) }), { maxLimit })
    const search = checks.find(({ name }) => name.startsWith('payments: search'))
    await t.rejects(async () => search?.run(), range)
  }
})

t.test('a list may search and filter by columns that its items do not show', async (t) => {
  const { app, callers } = handWritten()
  const { email: _email, processor_status: _status, ...fields } = payments.fields
  const settings = settingsOf({ db: () => ({}) as never, resolveRole: () => null })
  const subject = new ListUnderTest({ ...payments, fields }, settings, { app, callers: callers as never }, '')
  await t.resolves(searchIsLiteral(subject))
  await t.resolves(filtersKeepWhatTheyName(subject))
})

t.test('a list without a search has no check of the search', async (t) => {
  const { run, reasons } = await quietChecks(t)
  await run('search takes its term literally, and adds nothing')
  await t.resolves(run('filters keep what they name, and add nothing'))
  t.strictSame(reasons, ['The list payments has no search.'])
})

t.test('the texts of an item together may be longer than a search', async (t) => {
  const name = 'a'.repeat(200)
  const host = handWritten({
    isFound: (_entry, { search }) => /^a*$/i.test(search),
    ...onItems((item) => {
      if ('first_name' in item) Object.assign(item, { first_name: name, last_name: name, email: name })
    })
  })
  const search = conformance(() => host).find(({ name }) => /^assessments: search/.test(name))
  await t.resolves(async () => search?.run())
})
