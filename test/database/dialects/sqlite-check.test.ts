import t from 'tap'
import { execute, finds } from '../../support/oracle/check.js'
import { openWorld } from '../../support/servers/tables.js'

t.test('a text that SQLite stores as a BLOB, in an id, a filtered column or the time of the order', async (t) => {
  const db = await openWorld(t, 'sqlite')
  const toBlob = (column: string, where = 'payment_id = 5') =>
    execute(db, `update payments set ${column} = cast(${column} as blob) where ${where}`)
  const equal = (path: string, level = 'warning') =>
    `${level} data: ${path} has values that no text equals, as with a BLOB: select cast(${path.split('.')[1]} as text).`
  // A column that is only shown.
  await toBlob('payment_method')
  await finds(t, db, [])
  await toBlob('processor_status')
  await toBlob('created_at')
  await execute(db, "insert into links values (cast('7' as blob), 1)")
  const odd = [equal('payments.created_at'), equal('links.owner_id')]
  // One odd cell does not stop the boot.
  await finds(t, db, [equal('payments.processor_status'), ...odd])
  await toBlob('processor_status', '1 = 1')
  await finds(t, db, [equal('payments.processor_status', 'error'), ...odd])
})
