/** The shifts of clinics: a list without an owner, whose desk is linked to clinics, and with a note that only leads read. */
import { column, defineList } from '../../src/index.js'
import { execute } from './check.js'
import { type DatabaseName, type Db, dateTime } from './databases.js'

export const shifts = defineList({
  name: 'shifts',
  path: '/shift/list',
  key: 'shifts',
  openapi: { name: 'Shift', operationId: 'listShifts', summary: 'List shifts', description: 'The shifts.' },
  fields: {
    id: column.id({ examples: ['1'] }),
    clinic_id: column.id({ examples: ['4'] }),
    doctor: { column: 'practitioners.last_name', roles: ['Lead'], examples: ['Zoë'] },
    note: column.text({ roles: ['Lead'], examples: ['Late.'] }),
    state: column.enum(['open', 'done'], { description: 'Of the shift.', roles: ['Lead', 'Desk'], examples: ['open'] }),
    began_at: column.wallTime({ whenNull: 'error', examples: ['2026-03-01 09:30:00'] })
  },
  columns: { doctor_id: column.id({ whenNull: 'null' }) },
  id: 'id',
  practitioner: 'doctor_id',
  order: '-began_at',
  search: { columns: ['note'], examples: ['late'] },
  filters: { state: { examples: ['open'] }, has_note: { column: 'note', present: true } },
  sort: ['state'],
  roles: {
    Desk: { linked: 'clinic_id', by: 'clinic_staff' },
    Lead: [{ own: 'doctor_id' }, { linked: 'clinic_id', by: 'clinic_leads' }],
    Admin: 'all'
  },
  messages: { found: 'Found.', forbidden: 'No.' }
})

/** Two shifts of the clinics 4 and 5. The staff 7 works in clinic 4, and leads both. */
export const createShifts = (db: Db, name: DatabaseName, linkedId = 'bigint') =>
  execute(
    db,
    `create table shifts (id bigint primary key, clinic_id bigint, doctor_id bigint, note varchar(50), state varchar(9), began_at ${dateTime(name)})`,
    `create table clinic_staff (owner_id bigint, linked_id ${linkedId})`,
    'create table clinic_leads (owner_id bigint, linked_id bigint)',
    'create table users (user_id bigint primary key, first_name text, last_name text, email text, avatar_url text)',
    "insert into shifts values (1, 4, 7, 'late', 'open', '2026-03-01 09:30:00'), (2, 5, 7, '', 'done', '2026-03-02 09:30:00')",
    "insert into clinic_staff values (7, '4')",
    'insert into clinic_leads values (7, 4), (7, 5)'
  )
