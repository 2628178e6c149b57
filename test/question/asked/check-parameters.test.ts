import { Type } from '@sinclair/typebox'
import t from 'tap'
import { callbackOf } from '../../../src/errors/callbacks.js'
import { defaultMessages } from '../../../src/errors/client-texts.js'
import { Failure } from '../../../src/errors/failure.js'
import { pairsOf } from '../../../src/http/route.js'
import { defaultLimits } from '../../../src/limits.js'
import { assessments as assessmentList } from '../../../src/lists/ready/assessments.js'
import { payments as paymentList } from '../../../src/lists/ready/payments.js'
import { type ParameterReader, parameterReader } from '../../../src/question/asked/check-parameters.js'
import { lessons } from '../../support/fixtures/lessons.js'
import { words } from '../../support/hosts/thrown.js'

/** The page and the other parameters in one object. */
type Parameters = Record<string, string | number | readonly string[]>

/** A list without parameters of its own. */
const bare = { ...paymentList, parameters: {}, filters: {} }

const rules = { ...defaultLimits, unknownParameters: 'reject', messages: defaultMessages } as const
const readAssessments = parameterReader(assessmentList, rules)
const readPayments = parameterReader(paymentList, rules)

/** The parameters of a URL, or the message of its 400. */
function outcome(read: ParameterReader, url: string): Parameters | string {
  try {
    const { page, limit, term, filters } = read(pairsOf(url))
    const values = Object.entries(filters).map(([name, texts]) => [name, texts.length === 1 ? texts[0] : texts])
    return { ...(term !== undefined && { search: term }), ...Object.fromEntries(values), ...(page && { page, limit }) }
  } catch (error) {
    if (error instanceof Failure && error.kind === 'parameter' && error.statusCode === 400) {
      return error.clientMessage ?? error.message
    }
    throw error
  }
}
const assessments = (query: string) => outcome(readAssessments, `/assessment/list?${query}`)
const payments = (query: string) => outcome(readPayments, `/payment/list?${query}`)

const paging = { page: 1, limit: 12 }
const maximumPage = 90_071_992_547_409

const texts = {
  missing: "The query parameter 'search' is required; it may be empty.",
  unknown: /^The query parameter '.{0,128}' is unknown. Allowed: search, status, page, limit\.$/su,
  encoding: 'The query string must be percent-encoded UTF-8.',
  status: "The query parameter 'status' must be one of: completed, pending, reserved.",
  page: `The query parameter 'page' must be a whole number from 1 to ${maximumPage}, in plain digits.`,
  limit: "The query parameter 'limit' must be a whole number from 1 to 100, in plain digits.",
  repeated: (name: string) => `The query parameter '${name}' must be given only once.`,
  tooLong: (name: string) => `The query parameter '${name}' must have at most 256 characters.`,
  control: (name: string) => `The query parameter '${name}' must not contain control characters.`
}

t.test('parameters are read in any order, a missing one has its default, and an empty one is none', async (t) => {
  const three = { page: 3, limit: 50 }
  t.strictSame(assessments('search=an'), { search: 'an', ...paging })
  t.strictSame(assessments('search=an&status=reserved&page=3&limit=50'), { search: 'an', status: 'reserved', ...three })
  const paid = { search: 'pi', processor_status: 'paid', ...three }
  t.strictSame(payments('limit=50&page=3&processor_status=paid&search=pi'), paid)
  t.strictSame(outcome(readPayments, '/payment/list'), paging)
  for (const query of ['search=', 'search', 'search=&status=', 'status&search', '&search=&&']) {
    t.strictSame(assessments(query), paging, query)
  }
  for (const query of ['', 'search=', 'processor_status=', 'search&processor_status']) {
    t.strictSame(payments(query), paging, query)
  }
  t.equal(outcome(readAssessments, '/assessment/list'), texts.missing)
  for (const query of ['', 'page=1', 'status=pending', '&', '&&']) t.equal(assessments(query), texts.missing, query)
})

t.test('the status of an assessment is one of three texts, and the processor status of a payment is any', async (t) => {
  for (const status of ['completed', 'pending', 'reserved']) {
    t.strictSame(assessments(`search=&status=${status}`), { status, ...paging })
  }
  for (const status of words('done Pending pending+ + constructor %00')) {
    t.equal(assessments(`search=&status=${status}`), texts.status, status)
  }
  for (const status of ['succeeded', 'canceled', 'Requires Action', ' ', 'é']) {
    t.strictSame(payments(`processor_status=${encodeURIComponent(status)}`), { processor_status: status, ...paging })
  }
})

t.test('page and limit are plain decimal integers from 1 to their maximum', async (t) => {
  for (const page of [1, 10, maximumPage]) t.strictSame(payments(`page=${page}`), { page, limit: 12 })
  for (const limit of [1, 12, 100]) t.strictSame(payments(`limit=${limit}`), { page: 1, limit })

  const wrong = words(`
    0 01 -1 1.0 1e3 0x10 1_000 1n NaN true one 1;2 %2B1 +1 1%20 1%0A %EF%BC%91 %D9%A1 10000000000000000 9007199254740993`)
  for (const value of ['', ...wrong]) {
    t.equal(payments(`page=${value}`), texts.page, `page=${value}`)
    t.equal(payments(`limit=${value}`), texts.limit, `limit=${value}`)
  }
  t.equal(payments('page'), texts.page)
  t.equal(payments(`page=${maximumPage + 1}`), texts.page)
  t.equal(payments('limit=101'), texts.limit)
  t.equal(payments(`page=${'1'.repeat(100_000)}`), texts.page)
})

t.test('the host can set the maximum of the limit, up to the largest safe integer', async (t) => {
  const largest = Number.MAX_SAFE_INTEGER
  for (const [maxLimit, maximumPage] of [
    [5, Math.floor(largest / 5)],
    [1, largest],
    [largest, 1]
  ] as const) {
    const read = parameterReader(bare, { ...rules, defaultLimit: 1, maxLimit })
    for (const [name, maximum] of Object.entries({ page: maximumPage, limit: maxLimit })) {
      t.strictSame(outcome(read, `/?${name}=${maximum}`), { page: 1, limit: 1, [name]: maximum })
      const refusal = `The query parameter '${name}' must be a whole number from 1 to ${maximum}, in plain digits.`
      for (const above of [maximum + 1, '9007199254740993', '9999999999999999', '90071992547409910']) {
        t.equal(outcome(read, `/?${name}=${above}`), refusal, `${name}=${above}`)
      }
    }
  }
})

t.test('an unknown parameter is refused, and the message names the known parameters', async (t) => {
  for (const query of words(`
    Search=a search%20=a search[]=a page%5B0%5D=1 processor_status=succeeded __proto__=1 __proto__[page]=1 toString=1
    hasOwnProperty size=1 0=1 = =1 %00=1 ?search=b page;limit=1 staus=1&staus=2 staus=1&page=0`)) {
    t.match(assessments(`search=a&${query}`), texts.unknown, query)
  }
  const unknown = (name: string) =>
    `The query parameter '${name}' is unknown. Allowed: search, processor_status, page, limit.`
  t.equal(payments('status=pending'), unknown('status'))
  const long = payments(`${encodeURIComponent('😀'.repeat(100))}=secret`)
  t.equal(long, unknown('😀'.repeat(64)), 'at most 64 characters of the name, and never the value')
  t.notOk('page' in {}, 'no prototype is changed')
})

t.test('a host can allow additional parameters by name', async (t) => {
  const read = parameterReader(paymentList, { ...rules, unknownParameters: ['utm_source', 'lang', 'page'] })
  const ask = (query: string) => outcome(read, `/payment/list?${query}`)
  t.strictSame(ask('utm_source=mail&lang=it&search=a'), { search: 'a', ...paging }, 'allowed parameters are dropped')
  t.strictSame(ask('lang=it&lang=de&lang'), paging, 'even repeated')
  t.strictSame(ask('%6Cang=%00'), paging)
  t.equal(ask('page=0'), texts.page, "the list's own parameters are still validated")
  for (const query of ['lan=it', 'Lang=it', 'lang[]=it', 'length=1', '0=lang', '__proto__=1']) {
    t.match(ask(query), /' is unknown. Allowed: search, processor_status, page, limit, utm_source, lang/, query)
  }
  t.equal(ask('lang=%zz'), texts.encoding)
})

t.test('a host can ignore all other parameters', async (t) => {
  const read = parameterReader(assessmentList, { ...rules, unknownParameters: 'ignore' })
  const ask = (query: string) => outcome(read, `/assessment/list?${query}`)
  for (const query of words(`
    staus=pending staus=pending&staus=reserved page[]=7 __proto__=7&__proto__=8 __proto__[page]=7 constructor=7 =7
    x=%00`)) {
    t.strictSame(ask(`search=a&${query}`), { search: 'a', ...paging }, query)
  }
  t.equal(ask('staus=pending'), texts.missing)
  t.equal(ask('search=a&search=b&x=1'), texts.repeated('search'))
  t.equal(ask('search=a&x=%ff'), texts.encoding)
})

// MariaDB 10.11 has lost records to a value that stood twice in a statement of many conditions, which a random list had found.
t.test('a value of several that is given twice counts once', async (t) => {
  const read = parameterReader(lessons, rules)
  const ask = (query: string) => outcome(read, `/lesson/list?${query}`)
  t.strictSame(ask('state=moved&state=booked&state=moved'), { state: ['moved', 'booked'], ...paging })
  t.strictSame(ask('state=booked&state=booked'), { state: 'booked', ...paging })
})

t.test('a parameter that is given twice is refused', async (t) => {
  for (const [query, name] of [
    ['search=a', 'search'],
    ['search', 'search'],
    ['page=1&pag%65=2', 'page'],
    ['limit=&limit=5', 'limit'],
    ['status=&status=', 'status']
  ] as const) {
    t.equal(assessments(`search=a&${query}`), texts.repeated(name), query)
  }
  t.equal(assessments('search=&search=a'), texts.repeated('search'), 'the first one is empty')
})

t.test('names and values are decoded as application/x-www-form-urlencoded', async (t) => {
  const cases: [query: string, search: string][] = [
    ['%73earch=a', 'a'],
    ['search=Jane+Doe', 'Jane Doe'],
    ['search=Jane%20Doe', 'Jane Doe'],
    ['search=+a++', ' a  '],
    ['search=a%2Bb', 'a+b'],
    ['search=100%25', '100%'],
    ['search=a%26page%3D0', 'a&page=0'],
    ['search==', '='],
    ['search=a;page=0', 'a;page=0'],
    ['search=Zo%C3%AB', 'Zoë'],
    ['search=%F0%9F%98%80', '😀'],
    ['search=%C2%A0%E2%80%A8%EF%BB%BF', '\u00a0\u2028\ufeff'],
    ['&&search=a&', 'a']
  ]
  for (const [query, search] of cases) t.strictSame(assessments(query), { search, ...paging }, query)
})

t.test('a search term has at most 256 code points, regardless of their bytes', async (t) => {
  for (const character of ['a', 'é', '😀']) {
    const term = character.repeat(256)
    const encoded = encodeURIComponent(term)
    const more = encodeURIComponent(character)
    t.strictSame(assessments(`search=${encoded}`), { search: term, ...paging }, `256 × ${character}`)
    t.strictSame(payments(`processor_status=${encoded}`), { processor_status: term, ...paging })
    t.equal(assessments(`search=${encoded}${more}`), texts.tooLong('search'), `257 × ${character}`)
    t.equal(payments(`search=${encoded}${more}`), texts.tooLong('search'))
    t.equal(payments(`processor_status=${encoded}${more}`), texts.tooLong('processor_status'))
  }
  const mixed = 'a😀'.repeat(128)
  t.strictSame(assessments(`search=${encodeURIComponent(mixed)}`), { search: mixed, ...paging })
  t.equal(assessments(`search=${encodeURIComponent(`${mixed}a`)}`), texts.tooLong('search'))
  t.equal(assessments(`search=${'a'.repeat(1_000_000)}`), texts.tooLong('search'))
})

t.test('control characters are refused', async (t) => {
  const controls = [...Array(0x20).keys(), ...Array.from({ length: 0x21 }, (_, index) => 0x7f + index)]
  for (const code of controls) {
    const encoded = encodeURIComponent(String.fromCharCode(code))
    t.equal(assessments(`search=a${encoded}b`), texts.control('search'), encoded)
    t.equal(payments(`processor_status=${encoded}`), texts.control('processor_status'), encoded)
  }
})

t.test('a list without parameters says that none is allowed', async (t) => {
  const unpaged = parameterReader(bare, rules, false)
  t.equal(outcome(unpaged, '/?page=2'), "The query parameter 'page' is unknown. Allowed: none.")
  const messages = { ...defaultMessages, parameterUnknown: '{name}: {allowed}' }
  t.equal(outcome(parameterReader(bare, { ...rules, messages }, false), '/?x=1'), 'x: none')
})

t.test('a text without a maximum length may have any length', async (t) => {
  const filters = { note: { column: 'note', operator: '=' } } as const
  const read = parameterReader({ ...bare, filters, parameters: { note: Type.String() } }, rules, false)
  const note = 'a'.repeat(1000)
  t.match(outcome(read, `/?note=${note}`), { note })
})

t.test('a request does not change the parameters of the next request', async (t) => {
  t.strictSame(assessments('search=a&status=pending&page=2'), { search: 'a', status: 'pending', page: 2, limit: 12 })
  t.equal(assessments('page=2'), texts.missing)
  const first = readPayments([['search', 'a']])
  Object.assign(first.page, { limit: 1000 })
  Object.assign(first.filters, { processor_status: ['paid'] })
  t.strictSame(payments('search=b'), { search: 'b', ...paging })
})

t.test('what no text is from term is an error of the host, and what no query string may hold is a 400', async (t) => {
  const readWith = (term: (text: string) => unknown) =>
    parameterReader({ ...paymentList, search: { ...paymentList.search, term: term as () => string } }, rules)
  const rule = "'term' of the list 'payments' must return a text; it returned"
  for (const [result, kind, message] of [
    [5, 'internal', `${rule} 5.`],
    [undefined, 'internal', `${rule} undefined.`],
    [Promise.reject(new Error('late')), 'internal', `${rule} a promise.`],
    ['\0', 'parameter', "The query parameter 'search' must not contain control characters."],
    ['a'.repeat(1025), 'parameter', "The query parameter 'search' is too long for this list; use a shorter one."],
    ['😀'.repeat(1025), 'parameter', "The query parameter 'search' is too long for this list; use a shorter one."],
    ['\ud800', 'parameter', 'The query string must be percent-encoded UTF-8.']
  ] as const) {
    const read = readWith(() => result)
    t.throws(() => read([['search', 'a']]), { kind, message })
    t.strictSame(outcome(read, '/?search='), { page: 1, limit: 12 }, 'an empty term is not asked for')
  }
  for (const long of ['a'.repeat(1024), '😀'.repeat(1024)])
    t.match(readWith(() => long)([['search', 'a']]), { term: long })
  const fold = readWith((text) => text.replace(/\W/g, ''))
  t.match(fold([['search', 'a!']]), { term: 'a' })
  t.match(fold([['search', '!!!']]), { term: '!!!' }, 'a term that folds to nothing is searched as it is')
  const error = new Error('The service is down.')
  const read = readWith(() => {
    throw error
  })
  t.throws(() => read([['search', 'a']]), error)
  t.equal(callbackOf(error), 'term')
  // A rejection of the promise would end the process by now.
  await new Promise((resolve) => setTimeout(resolve, 20))
})
