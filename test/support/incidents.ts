/** The incidents of schools: a list within a tenant, with conditions, other ids of the caller, and notes for counsellors. */
import { column, defineList } from '../../src/index.js'
import { execute } from './check.js'
import { type DatabaseName, type Db, dateTime } from './databases.js'

export const incidents = defineList({
  name: 'incidents',
  path: '/incident/list',
  key: 'incidents',
  openapi: { name: 'Incident', operationId: 'listIncidents', summary: 'List incidents', description: 'Newest first.' },
  fields: {
    id: column.id({ examples: ['1'] }),
    pupil_id: column.id({ examples: ['4'] }),
    place: column.text({ examples: ['yard'] }),
    state: column.enum(['draft', 'open', 'closed'], { examples: ['open'] }),
    notes: column.text({ whenNull: 'error', roles: ['Counsellor', 'Nurse'], examples: ['Cried.'] }),
    grade: column.integer({ whenNull: 'null', roles: ['Counsellor', 'Head', 'Auditor'], examples: [3] }),
    happened_at: column.wallTime({ whenNull: 'error', examples: ['2026-03-01 09:30:00'] })
  },
  columns: { school: column.id(), counsellor_id: column.id({ whenNull: 'null' }), severe: column.boolean() },
  id: 'id',
  order: '-happened_at',
  search: { columns: ['place', 'notes'], examples: ['yard'] },
  filters: {
    notes: { examples: ['Cried.'] },
    has_notes: { column: 'notes', present: true },
    grade: { range: true },
    state: { several: true, examples: ['open'] }
  },
  sort: ['id', 'state'],
  within: { school: 'school' },
  roles: {
    Parent: { own: 'pupil_id', callerId: 'pupil', where: { state: ['open', 'closed'] } },
    Counsellor: { own: 'counsellor_id' },
    Head: { where: { severe: true } },
    Inspector: 'all',
    Auditor: 'all',
    Nurse: { own: 'counsellor_id' },
    Cook: 'none'
  },
  messages: { found: 'Found.', forbidden: 'No.' }
})

/**
 * Counsellor 7 has the incidents 1 and 4 of pupil 4, and 6 of another school. Pupil 4 also has 2, and a draft, 3. The
 * incidents 2 and 5 are severe.
 */
export const createIncidents = (db: Db, name: DatabaseName, { key = 'bigint primary key', pupil = 'bigint' } = {}) =>
  execute(
    db,
    `create table incidents (id ${key}, school varchar(9), pupil_id ${pupil}, counsellor_id bigint, place varchar(9), state varchar(9), severe ${name === 'postgres' ? 'boolean' : 'int'}, notes varchar(9), grade int, happened_at ${dateTime(name)})`,
    'create table users (user_id bigint primary key, first_name text, last_name text, email text, avatar_url text)',
    `insert into incidents values ${[
      "(1, 's1', 4, 7, 'yard', 'open', false, 'n-one', 1, '2026-03-01 09:30:00')",
      "(2, 's1', 4, 8, 'hall', 'open', true, 'n-two', null, '2026-03-02 09:30:00')",
      "(3, 's1', 4, 8, 'hall', 'draft', false, 'n-three', 3, '2026-03-03 09:30:00')",
      "(4, 's1', 4, 7, 'yard', 'draft', false, 'n-four', 4, '2026-03-04 09:30:00')",
      "(5, 's1', 5, 8, 'yard', 'closed', true, 'n-five', 5, '2026-03-05 09:30:00')",
      "(6, 'S1', 4, 7, 'yard', 'open', true, 'n-six', 6, '2026-03-06 09:30:00')"
    ].join(', ')}`
  )
