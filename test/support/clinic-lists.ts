/** What the lists must answer about the clinic, worked out in memory from the contract. */
import type { Assessment, Clinic, Payment, Person } from './clinic.js'

export interface Asked {
  caller: Person
  reach: 'own' | 'linked' | 'all'
  search?: string
  status?: string
  page?: number
  limit?: number
}

export function expectedAssessments(clinic: Clinic, asked: Asked) {
  const { rows, total } = pageOf(clinic.assessments, asked, ({ user, status }: Assessment) => ({
    searched: [user.first, user.last, user.email],
    status
  }))
  const items = rows.map(({ id, licence, type, user, practitioner, status, assigned, concluded }) => ({
    assessment_id: String(id),
    licence,
    assessment_type: type,
    user_id: String(user.userId),
    first_name: user.first,
    last_name: user.last,
    email: user.email,
    avatarUrl: user.avatar,
    practitioner_id: practitioner ? String(practitioner.id) : '',
    practitioner_first_name: practitioner?.first ?? '',
    practitioner_last_name: practitioner?.last ?? '',
    org_names: user.organizations.toSorted((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b))),
    status,
    date_assignment: assigned === null ? '' : utc(assigned),
    date_conclusion: concluded && utc(concluded)
  }))
  return { total, items }
}

export function expectedPayments(clinic: Clinic, asked: Asked) {
  const { rows, total } = pageOf(clinic.payments, asked, ({ user, intent, processorStatus }: Payment) => ({
    searched: [user.email, intent],
    status: processorStatus
  }))
  const items = rows.map(({ id, user, amount, quantity, intent, paid, method, status, processorStatus, created }) => ({
    payment_id: String(id),
    user_id: user.userId === 0 ? '' : String(user.userId),
    email: user.email,
    amount: Number(amount),
    quantity,
    payment_intent: intent,
    paid_at: paid ?? '',
    payment_method: method,
    payment_status: status,
    processor_status: processorStatus,
    created_at: created
  }))
  return { total, items }
}

const utc = (time: string): string => `${time.replace(' ', 'T')}Z`

interface Record {
  id: number
  user: Person
  created: string
}

/** The records of a page, newest first, and how many there are on all pages. */
function pageOf<Row extends Record>(
  records: Row[],
  { caller, reach, search = '', status = '', page = 1, limit = 12 }: Asked,
  partsOf: (record: Row) => { searched: string[]; status: string }
): { rows: Row[]; total: number } {
  const visible = new Set([caller.userId, ...(reach === 'linked' ? caller.linked : [])])
  const term = search.toLowerCase()
  const found = records
    .filter(({ user }) => reach === 'all' || visible.has(user.userId))
    .filter((record) => {
      const { searched, status: own } = partsOf(record)
      return searched.some((text) => text.toLowerCase().includes(term)) && (status === '' || status === own)
    })
    .sort((a, b) => b.created.localeCompare(a.created) || b.id - a.id)
  return { rows: found.slice((page - 1) * limit, page * limit), total: found.length }
}
