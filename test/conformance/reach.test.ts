import t from 'tap'
import { conformance } from '../../src/conformance/index.js'
import { findsFaults, isPlain } from '../support/faults.js'
import { handWritten, type Rules, rules } from '../support/hand-written.js'

/** The Practitioner also sees the records of user 3, who is linked to somebody else. */
const seesUser3: Partial<Rules> = {
  isVisible: (entry, asked) =>
    rules.isVisible(entry, asked) || (isPlain(asked) && asked.caller?.userId === 10 && entry.userId === 3)
}

findsFaults(t, 'every caller sees the records within their reach, and no others', {
  'a record of somebody else': {
    list: 'payments',
    message:
      /^GET \/payment\/list\?search=&page=\d&limit=2 as the Practitioner: record \d+ is of user 3, but the reach of the Practitioner \(user 10\) is 'own'\.$/,
    wrong: seesUser3
  },
  'a record of nobody': {
    list: 'payments',
    message:
      /as the Practitioner: record 99 is of user none, but the reach of the Practitioner \(user 10\) is 'own'\.$/,
    wrong: {
      isVisible: (entry, asked) =>
        rules.isVisible(entry, asked) || (isPlain(asked) && asked.caller?.userId === 10 && entry.userId === null)
    }
  },
  'linked users of another practitioner': {
    list: 'assessments',
    message:
      /record \d+ is of user 3, but the reach of the Practitioner \(user 10\) is 'linked', and the caller's 'linked' does not have this user\.$/,
    wrong: seesUser3
  },
  'records of a linked user are missing': {
    list: 'assessments',
    message:
      /^GET \/assessment\/list\?search= as the Master Practitioner: record \d+ of user \d+ is missing, but is in the answer to GET \/assessment\/list\?search=&page=\d&limit=6 as the Admin\.$/,
    wrong: {
      isVisible: (entry, asked) => rules.isVisible(entry, asked) && !(asked.caller?.userId === 11 && entry.userId === 3)
    }
  },
  'one who should see all sees what another one does not': {
    list: 'payments',
    message: /as the Super Admin: record 99 of user none is missing/,
    wrong: {
      isVisible: (entry, asked) =>
        rules.isVisible(entry, asked) && !(asked.caller?.userId === 21 && entry.userId === null)
    }
  },
  'another order for some': {
    list: 'assessments',
    message: /as the Practitioner: record \d+ (is at the place of record \d+ in GET .*|should not be in the answer)\.$/,
    wrong: {
      compare: (a, b, asked) => (asked.caller?.userId === 10 ? a.id - b.id : rules.compare(a, b, asked))
    }
  }
})

t.test('nobody is linked to a caller unless it is said', async (t) => {
  const { app, callers } = handWritten()
  const unlinked = callers.map(({ linked, ...caller }) => caller)
  const check = conformance(() => ({ app, callers: unlinked })).find(({ name }) =>
    name.includes('assessments: every caller')
  )
  await t.rejects(async () => check?.run(), /but the reach of the Practitioner \(user 10\) is 'linked'/)
})
