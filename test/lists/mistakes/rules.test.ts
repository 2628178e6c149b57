import t from 'tap'
import { wordExcept } from '../../../src/lists/mistakes/rules.js'

t.test('a word has letters, digits, _ and -, and is no name that an object has', async (t) => {
  const words = ['a', '_x', 'issued-At2', 'users2']
  const others = ['', '2a', '-a', 'a b', 'a.b', 'é', 'a\n', 'constructor', '__proto__', 'users']
  const word = wordExcept('users')
  const accepted = [...words, ...others].filter((text) => word.test(text))
  t.strictSame(accepted, words)
  t.match('users', wordExcept())
})
