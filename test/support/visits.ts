/** The list of docs/who-sees-what.md before each recipe, and the tables of its hospitals. */
import { column, defineList } from 'fastify-assessment-payment-listing'

interface Visit {
  id: number
  hospital_id: number
  ward_id: number
  patient_id: number
  doctor_id: number | null
  reason: string
  locked: boolean
  opened_at: Date
  closed_at: Date | null
}

export interface DB {
  visits: Visit
  teams: { lead_id: number; staff_id: number }
  wards: { id: number; parent_id: number | null }
  ward_heads: { staff_id: number; ward_id: number }
  ward_staff: { staff_id: number; ward_id: number }
  stand_ins: { staff_id: number; doctor_id: number; ends_on: Date }
  shifts: { staff_id: number; ward_id: number; starts_at: Date; ends_at: Date }
  visit_keys: { staff_id: number; visit_id: number }
  auditors: { staff_id: number }
  clerks: { staff_id: number }
  patients: { id: number; name: string; born_on: Date | null }
  charts: { staff_id: number; patient_id: number }
  posts: { staff_id: number; hospital_id: number; role: string }
  staff: { id: number; patient_id: number | null }
  staff_roles: { staff_id: number; role: string }
}

export const visits = defineList({
  name: 'visits',
  path: '/visit/list',
  key: 'visits',
  openapi: { name: 'Visit', operationId: 'listVisits', summary: 'List visits', description: 'Newest first.' },
  fields: {
    id: column.id({ examples: ['4711'] }),
    hospital_id: column.id({ examples: ['2'] }),
    ward_id: column.id({ examples: ['4'] }),
    patient_id: column.id({ examples: ['17'] }),
    doctor_id: column.id({ whenNull: 'null', examples: ['9'] }),
    reason: column.text({ examples: ['A fall.'] }),
    opened_at: column.wallTime({ whenNull: 'error', examples: ['2026-03-01 09:30:00'] }),
    closed_at: column.wallTime({ whenNull: 'null', examples: ['2026-03-01 11:00:00'] })
  },
  id: 'id',
  order: '-opened_at',
  roles: { Admin: 'all' },
  messages: { found: 'Visits found.', forbidden: 'You may not see visits.' }
})
