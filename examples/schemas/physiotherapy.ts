/**
 * A chain of physiotherapy practices: patients, staff and clinics have tables of their own whose ids overlap, so there
 * is a clinic 4 and a member of staff 4. The front desk sees the appointments of the clinics where they work, a lead
 * those of the clinics that they lead and their own, a therapist and a patient their own. Only some read the notes.
 *
 *     resolveRole: ({ user }) => ({ userId: user.id, role: user.role })
 *
 * No two roles compare the same column with a caller, unless both mean the same kind of person, so patient 4 and staff 4
 * are never confused. `Lead` is one role with two parts. Somebody may have two roles: `role: ['Therapist', 'FrontDesk']`.
 */
import { column, defineList, defineOptions, type ResolveRole } from 'fastify-assessment-payment-listing'
import type { Kysely } from 'kysely'

export interface DB {
  patients: { id: number; name: string; mail: string }
  clinic_staff: { staff_id: number; clinic_id: number }
  clinic_leads: { staff_id: number; clinic_id: number }
  appointments: {
    id: number
    patient_id: number
    therapist_id: number | null
    clinic_id: number
    state: 'booked' | 'held' | 'missed'
    notes: string | null
    starts_at: Date
  }
  services: { id: number; title: string; price: string; since: Date }
}

export const appointments = defineList({
  name: 'appointments',
  path: '/appointment/list',
  key: 'appointments',
  openapi: {
    name: 'Appointment',
    operationId: 'listAppointments',
    summary: 'List appointments',
    description: 'The appointments that the caller may see, newest first.'
  },
  fields: {
    id: column.id({ examples: ['4711'] }),
    patient_id: column.id({ examples: ['17'] }),
    patient: { column: 'users.last_name', examples: ['Zoë Example'] },
    email: { column: 'users.email', roles: ['FrontDesk', 'Admin'], examples: ['zoe@example.org'] },
    therapist_id: column.id({ whenNull: 'null', examples: ['4'] }),
    clinic_id: column.id({ examples: ['4'] }),
    state: column.enum(['booked', 'held', 'missed'], { examples: ['booked'] }),
    notes: column.text({ whenNull: 'null', roles: ['Therapist', 'Lead', 'Admin'], examples: ['Knee, left.'] }),
    starts_at: column.wallTime({ whenNull: 'error', examples: ['2026-03-01 09:30:00'] })
  },
  id: 'id',
  owner: 'patient_id',
  order: '-starts_at',
  search: { columns: ['users.last_name', 'users.email', 'notes'], examples: ['zo'] },
  filters: { state: { examples: ['held'] }, has_notes: { column: 'notes', present: true } },
  roles: {
    Patient: 'own',
    Therapist: { own: 'therapist_id' },
    FrontDesk: { linked: 'clinic_id', by: 'clinic_staff' },
    Lead: [{ own: 'therapist_id' }, { linked: 'clinic_id', by: 'clinic_leads' }],
    Admin: 'all'
  },
  messages: { found: 'Appointments found.', forbidden: 'You may not see appointments.' }
})

/** A price list has no owner, so no role has own records. */
export const services = defineList({
  name: 'services',
  path: '/service/list',
  key: 'services',
  openapi: { name: 'Service', operationId: 'listServices', summary: 'List services', description: 'The prices.' },
  fields: {
    id: column.id({ examples: ['3'] }),
    title: column.text({ examples: ['Massage'] }),
    price: column.decimal({ examples: [65] }),
    since: column.date({ whenNull: 'error', examples: ['2026-01-01'] })
  },
  id: 'id',
  order: '-since',
  search: { columns: ['title'], examples: ['mass'] },
  roles: { Admin: 'all' },
  otherRoles: 'all',
  messages: { found: 'Services found.', forbidden: 'You may not see services.' }
})

export const optionsOf = (db: Kysely<DB>, resolveRole: ResolveRole) =>
  defineOptions({
    db,
    resolveRole,
    lists: [appointments, services],
    tables: (db) => ({
      users: db
        .selectFrom('patients')
        .select(['id as user_id', 'name as last_name', 'mail as email'])
        .select(({ val }) => [val('').as('first_name'), val(null).as('avatar_url')]),
      clinic_staff: db.selectFrom('clinic_staff').select(['staff_id as owner_id', 'clinic_id as linked_id']),
      clinic_leads: db.selectFrom('clinic_leads').select(['staff_id as owner_id', 'clinic_id as linked_id'])
    })
  })
