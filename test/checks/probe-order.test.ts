import t from 'tap'
import { findingsOnceThere } from '../support/check.js'
import { databases } from '../support/databases.js'
import { openWorld } from '../support/tables.js'

for (const name of databases) {
  t.test(`rows of ${name} in another order stop the boot`, async (t) => {
    for (const [direction, other] of [
      ['desc', 'asc'],
      ['asc', 'desc']
    ] as const) {
      const rewrite = (statement: string) =>
        statement.replace(new RegExp(`(order by .r.\\..created_at.) ${direction},`), `$1 ${other},`)
      const db = await openWorld(t, name, { rewrite })
      t.match(
        await findingsOnceThere(db, 2),
        [
          /^error tables: The records of assessments do not come in the order of created_at, so pages would miss or repeat/,
          /^error tables: The records of payments do not come/
        ],
        direction
      )
    }
  })
}
