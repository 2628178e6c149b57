import t from 'tap'
import { ask, fail } from '../../src/conformance/client.js'

t.test('no message shows the value of a header, or a long part of it, such as the value of a cookie', async (t) => {
  const values = ['Bearer first-token', 'sid=a-session-id; theme=dark', 'one-of-two-keys,two-of-two-keys']
  const headers = Object.fromEntries(values.map((value, place) => [`x-${place}`, value]))
  const app = { inject: async () => ({ statusCode: 200, headers: {}, body: '{}' }) }
  const answer = await ask(app as never, { name: 'the Admin', headers }, '/list', {})
  for (const secret of [...values, 'first-token', 'a-session-id', 'one-of-two-keys', 'two-of-two-keys']) {
    const message = `GET /list? as the Admin: got "***".`
    t.throws(() => fail(answer, `got "${secret}".`), { message }, secret)
  }
  t.throws(() => fail(answer, 'got dark.'), { message: /dark/ }, 'a short word is not secret')
})
