/** Common tables of assessments and payments, for schemas whose other tables are unusual. */
import type { Clinic } from './clinic.js'

export interface Names {
  /** The column with the user. */
  user: string
  coach?: string
  type?: string
  /** The column with the date and time of a payment. */
  paymentDate?: string
  assessments?: string
  payments?: string
  /** The type of ids. */
  id?: 'int' | 'bigint'
}

const named = (names: Names) => ({
  coach: 'coach_id',
  type: 'type',
  paymentDate: 'created_at',
  assessments: 'assessments',
  payments: 'payments',
  id: 'int',
  ...names
})

export function usualTables(names: Names): string[] {
  const { user, coach, type, paymentDate, assessments, payments, id } = named(names)
  return [
    `create table ${assessments} (id ${id} primary key, licence varchar(20) not null, ${type} varchar(20) not null, ${user} ${id} not null, ${coach} ${id}, status varchar(9) not null, assigned_at datetime, concluded_at datetime, created_at datetime not null)`,
    `create index ${assessments}_newest on ${assessments} (created_at, id)`,
    `create index ${assessments}_own on ${assessments} (${user}, created_at, id)`,
    `create index ${assessments}_own_status on ${assessments} (${user}, status)`,
    `create index ${assessments}_status on ${assessments} (status, created_at, id)`,
    `create table ${payments} (id ${id} primary key, ${user} ${id} not null, amount decimal(10, 2) not null, quantity int not null, intent varchar(30) not null unique, paid_at datetime, method varchar(20) not null, status varchar(20) not null, processor_status varchar(20) not null, ${paymentDate} datetime not null)`,
    `create index ${payments}_newest on ${payments} (${paymentDate}, id)`,
    `create index ${payments}_own on ${payments} (${user}, ${paymentDate}, id)`,
    `create index ${payments}_own_status on ${payments} (${user}, processor_status)`,
    `create index ${payments}_status on ${payments} (processor_status, ${paymentDate}, id)`
  ]
}

export function usualRows(clinic: Clinic, names: Names) {
  const { user, coach, type, paymentDate, assessments, payments } = named(names)
  return {
    [assessments]: clinic.assessments.map((assessment) => ({
      id: assessment.id,
      licence: assessment.licence,
      [type]: assessment.type,
      [user]: assessment.user.id,
      [coach]: assessment.practitioner?.id ?? null,
      status: assessment.status,
      assigned_at: assessment.assigned,
      concluded_at: assessment.concluded,
      created_at: assessment.created
    })),
    [payments]: clinic.payments.map((payment) => ({
      id: payment.id,
      [user]: payment.user.id,
      amount: payment.amount,
      quantity: payment.quantity,
      intent: payment.intent,
      paid_at: payment.paid,
      method: payment.method,
      status: payment.status,
      processor_status: payment.processorStatus,
      [paymentDate]: payment.created
    }))
  }
}
