import t from 'tap'
import { pairsOf } from '../../src/http/query-string.js'

t.test('the query string starts after the first question mark', (t) => {
  for (const url of ['/payment/list', '/payment/list&page=0', '/é page=0', '', '/payment/list?', '?&&']) {
    t.strictSame(pairsOf(url), [], url)
  }
  t.strictSame(pairsOf('?search=a'), [['search', 'a']])
  t.strictSame(pairsOf('/payment/list?search=?page=0'), [['search', '?page=0']])
  t.end()
})

t.test('a pair may have no value, and comes as often as it is given', (t) => {
  t.strictSame(pairsOf('/?a&b=&=c&a=1&a=%32+'), [
    ['a', ''],
    ['b', ''],
    ['', 'c'],
    ['a', '1'],
    ['a', '2 ']
  ])
  t.end()
})

t.test('text after a path without a question mark is not ignored', (t) => {
  for (const url of ['/payment/list#search=jane', '/payment/list?search=a#b']) t.equal(pairsOf(url), undefined, url)
  // Fastify's useSemicolonDelimiter makes this a query string.
  t.strictSame(pairsOf('/payment/list;search=jane'), [['search', 'jane']])
  t.strictSame(pairsOf('/payment/list?search=a;b'), [['search', 'a;b']])
  t.end()
})

t.test('a query string that is not percent-encoded UTF-8 is no pairs', (t) => {
  for (const text of ['%', '%zz', '%ff', '%C0%80', '%ED%A0%80', 'é', '\ud83d', ' ', '\n', '\0']) {
    for (const query of [`search=${text}`, `${text}=1`, text]) t.equal(pairsOf(`/?${query}`), undefined)
  }
  t.end()
})
