import { Value } from '@sinclair/typebox/value'
import t from 'tap'
import { querySchema } from '../../src/lists/paging-parameters.js'
import { payments } from '../../src/lists/ready/payments.js'
import { byAfter } from '../support/fixtures/tasks.js'

t.test('a list has numbered pages with limits, and no parameter that it does not know', async (t) => {
  const schema = querySchema(payments, { defaultLimit: 12, maxLimit: 100 })
  t.ok(Value.Check(schema, { page: 2, limit: 100, search: 'pi_' }))
  for (const wrong of [{ page: 0 }, { limit: 101 }, { page: 1.5 }, { after: 'x' }, { serach: 'x' }]) {
    t.notOk(Value.Check(schema, wrong), JSON.stringify(wrong))
  }
})

t.test('a list whose pages follow a record has a place, and the counts of its filters', async (t) => {
  const schema = querySchema(byAfter)
  t.ok(Value.Check(schema, { after: 'x', total: true, counts: ['state'] }))
  for (const wrong of [{ page: 1 }, { counts: ['title'] }, { total: 'yes' }]) {
    t.notOk(Value.Check(schema, wrong), JSON.stringify(wrong))
  }
})
