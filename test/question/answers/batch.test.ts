import t from 'tap'
import { finder, questionFor, sessionOf } from '../../support/servers/session.js'
import { openWorld } from '../../support/servers/tables.js'

t.test('a record that is deleted while a batch is read does not end the batches', async (t) => {
  // The outer query no longer finds the record.
  const rewrite = (text: string) => text.replace('on "r"."payment_id" = "k"."id"', '$& and "r"."payment_id" <> 30')
  const db = await openWorld(t, 'sqlite', { rewrite })
  const { findBatch } = finder()
  const { items, key } = await findBatch(questionFor({ limit: 10 }), sessionOf(db))
  t.equal(items.length, 9)
  t.ok(key, 'another batch follows')
})
