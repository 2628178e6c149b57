/** Common tables of assessments and payments, for schemas whose other tables are unusual. */
import type { Clinic } from './clinic.js'

/** @param user the schema's name for a user, such as `contact` in `contact_id` */
export const usualTables = (user: string): string[] => [
  `create table assessments (id int primary key, licence varchar(20) not null, type varchar(20) not null, ${user}_id int not null, coach_id int, status varchar(9) not null, assigned_at datetime, concluded_at datetime, created_at datetime not null)`,
  'create index assessments_newest on assessments (created_at, id)',
  `create index assessments_own on assessments (${user}_id, created_at, id)`,
  `create index assessments_own_status on assessments (${user}_id, status)`,
  'create index assessments_status on assessments (status, created_at, id)',
  `create table payments (id int primary key, ${user}_id int not null, amount decimal(10, 2) not null, quantity int not null, intent varchar(30) not null unique, paid_at datetime, method varchar(20) not null, status varchar(20) not null, processor_status varchar(20) not null, created_at datetime not null)`,
  'create index payments_newest on payments (created_at, id)',
  `create index payments_own on payments (${user}_id, created_at, id)`,
  `create index payments_own_status on payments (${user}_id, processor_status)`,
  'create index payments_status on payments (processor_status, created_at, id)'
]

export const usualRows = ({ assessments, payments }: Clinic, user: string) => ({
  assessments: assessments.map((assessment) => ({
    id: assessment.id,
    licence: assessment.licence,
    type: assessment.type,
    [`${user}_id`]: assessment.user.id,
    coach_id: assessment.practitioner?.id ?? null,
    status: assessment.status,
    assigned_at: assessment.assigned,
    concluded_at: assessment.concluded,
    created_at: assessment.created
  })),
  payments: payments.map((payment) => ({
    id: payment.id,
    [`${user}_id`]: payment.user.id,
    amount: payment.amount,
    quantity: payment.quantity,
    intent: payment.intent,
    paid_at: payment.paid,
    method: payment.method,
    status: payment.status,
    processor_status: payment.processorStatus,
    created_at: payment.created
  }))
})
