import t from 'tap'
import { pairsOf } from '../../src/http/query-string.js'

t.test('the query string starts after the first question mark', async (t) => {
  for (const url of ['/payment/list', '/payment/list&page=0', '/é page=0', '', '/payment/list?', '?&&']) {
    t.strictSame(pairsOf(url), [], url)
  }
  t.strictSame(pairsOf('?search=a'), [['search', 'a']])
  t.strictSame(pairsOf('/payment/list?search=?page=0'), [['search', '?page=0']])
})

t.test('a query string may start elsewhere', async (t) => {
  const end = /[?;#]/
  t.strictSame(pairsOf('/payment/list;search=jane', end), [['search', 'jane']])
  t.strictSame(pairsOf('/payment/list?search=a;b', end), [['search', 'a;b']])
  t.strictSame(pairsOf('/note/a;b'), [])
  t.strictSame(pairsOf('/note/a;b?c=d'), [['c', 'd']])
})

t.test('a pair may have no value, and comes as often as it is given', async (t) => {
  t.strictSame(pairsOf('/?a&b=&=c&a=1&a=%32+'), [
    ['a', ''],
    ['b', ''],
    ['', 'c'],
    ['a', '1'],
    ['a', '2 ']
  ])
})

t.test('text after a path without a question mark is not ignored', async (t) => {
  for (const url of ['/payment/list#search=jane', '/payment/list?search=a#b']) t.equal(pairsOf(url), undefined, url)
  t.strictSame(pairsOf('/payment/list?search=a;b'), [['search', 'a;b']])
})

t.test('a query string that is not percent-encoded UTF-8 is no pairs', async (t) => {
  const encoded =
    '% %z %zz %4 100% %u0041 %ff %80 %C3 %C3%28 %C0%80 %E0%80%AF %ED%A0%80 %ED%A0%BD%ED%B8%80 %F4%90%80%80 %F0%9F%98'
  const raw = ['é', '😀', '\ud83d', '\u00a0', '\u2028', ' ', '\t', '\n', '\0', '\x7f', '\x80']
  const queries = [...encoded.split(' '), ...raw].flatMap((text) => [
    ...[`search=${text}`, `search=a&${text}=1`, `search=a&${text}`, `search=a&x=${text}`, text]
  ])
  const read = queries.filter((query) => pairsOf(`/?${query}`) !== undefined)
  t.strictSame(read, [])
})
