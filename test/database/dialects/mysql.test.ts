import { sql } from 'kysely'
import type { PoolOptions } from 'mysql2'
import t from 'tap'
import { admin } from '../../support/fixtures/world.js'
import { serve } from '../../support/hosts/server.js'
import { openWorld } from '../../support/servers/tables.js'

t.test('text is read unchanged through a latin1 connection, with every typeCast of mysql2', async (t) => {
  const typeCasts: PoolOptions['typeCast'][] = [true, false, (field) => field.string(), (field) => field.buffer()]
  for (const typeCast of typeCasts) {
    const db = await openWorld(t, 'mysql', { pool: { charset: 'latin1_swedish_ci', typeCast: typeCast ?? true } })
    await sql`update users set first_name = convert(${Buffer.from('Łukasz 日本 😀')} using utf8mb4)`.execute(db)
    const { get } = await serve(t, { db })
    const { body } = await get('/assessment/list?search=ada', admin)
    t.match(body.assessments?.[0], { first_name: 'Łukasz 日本 😀', avatarUrl: 'https://cdn/1.png' }, String(typeCast))
    t.match((await get('/assessment/list?search=ben', admin)).body.assessments?.[0], { avatarUrl: null })
  }
})
