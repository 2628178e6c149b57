import t from 'tap'
import { payments } from '../../../src/lists/ready/payments.js'
import { after } from '../../../src/question/answers/after.js'
import { answerOf } from '../../../src/question/answers/index.js'
import { page } from '../../../src/question/answers/page.js'
import { byAfter } from '../../support/fixtures/tasks.js'

t.test('the definition decides the kind of answer, and only counted filters add to it', async (t) => {
  t.equal(answerOf(payments), page)
  t.equal(answerOf({ ...payments, paging: 'after' }), after)
  t.not(answerOf(byAfter), after)
})
