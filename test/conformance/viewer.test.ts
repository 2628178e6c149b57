import t from 'tap'
import { conformance } from '../../src/conformance/index.js'
import { onStatus } from '../support/hosts/faults.js'
import { handWritten } from '../support/hosts/hand-written.js'

t.test('a list that gives no page says so, in every check that needs one', async (t) => {
  for (const [change, message] of [
    [{ status: 500, body: { error: 'Oops.' } }, /got 500 'Oops\.'\. The log of the server says why: /],
    [{ status: 404, body: { error: 'No.' } }, /got 404 'No\.'\. Is the option 'prefix' right\?$/],
    [{ body: { total: 3 } }, /expected an array 'data'\.$/],
    [{ body: 'no JSON' as never }, /expected an array 'data'\.$/]
  ] as const) {
    const messages: string[] = []
    for (const { name, run } of conformance(() => handWritten(onStatus(200, () => change)))) {
      if (name.startsWith('payments')) await run().catch((error: Error) => messages.push(error.message))
    }
    t.equal(messages.length, 5)
    for (const text of messages) t.match(text, message)
  }
})
