/**
 * A made-up clinic with some thousand records, which are always the same. The tests of `examples/schemas` write the
 * clinic into tables of all shapes.
 */
import type { Data } from './oracle.js'

export interface Person {
  id: number
  /** The person's id in the lists. */
  userId: number
  first: string
  last: string
  email: string
  avatar: string | null
  organizations: string[]
  /** The `userId` of each person whose records this person sees. */
  linked: number[]
}

export type Clinic = ReturnType<typeof makeClinic>

type ProcessorStatus = 'succeeded' | 'pending' | 'failed'

export interface Shape {
  /** Staff have their own table, with the same ids as clients. The lists use the negative ids of staff. */
  staffApart?: boolean
  /** Whether every ninth payment has a guest as its user. */
  guests?: boolean
  /** How many there are of each. */
  counts?: { clients: number; staff: number; assessments: number; payments: number }
  /** The schema's words for the processor statuses. The default is the same words. */
  processorStatus?: Record<ProcessorStatus, string>
}

/** A payer without an account. */
const guest: Person = {
  ...{ id: 0, userId: 0, first: '', last: '', email: '', avatar: null },
  ...{ organizations: [], linked: [] }
}

const firstNames = ['Ada', 'Zoë', 'Søren', 'Jean-Luc', 'Mei', 'Jane', 'Olu']
// latin1 has all of these letters. The third text is null.
const lastNames = ['Lovelace', "O'Brien", '', 'de la Cruz', '100%', 'Under_score', 'Ångström']
const organizations = ['Zenith', 'Acme', 'acme sub', 'Ärzte']
const usualCounts = { clients: 600, staff: 30, assessments: 5000, payments: 3000 }

const pick = <Value>(values: readonly Value[], index: number): Value => values[index % values.length] as Value
const range = (length: number) => Array.from({ length }, (_, index) => index)
/** Maps neighbouring indexes to distant ones. */
const scatter = (index: number, length: number) => (index * 7919) % length

/** The date and time a number of minutes after the start. */
export const minutesOn = (minutes: number, start = '2024-01-01 00:00:00'): string =>
  new Date(Date.parse(`${start.replace(' ', 'T')}Z`) + minutes * 60_000).toISOString().slice(0, 19).replace('T', ' ')

export function makeClinic({
  staffApart = false,
  guests = false,
  counts = usualCounts,
  processorStatus: words
}: Shape = {}) {
  const person = (id: number, userId: number): Person => {
    const [first, last] = [pick(firstNames, id), pick(lastNames, Math.floor(id / 3))]
    const email = `${first.toLowerCase()}.${userId}@example.org`
    const avatar = id % 3 === 0 ? `https://cdn.example.org/${id}.png` : null
    return { id, userId, first, last, email, avatar, organizations: [], linked: [] }
  }
  const clients = range(counts.clients).map((index) => person(index + 1, index + 1))
  const staff = range(counts.staff).map((index) =>
    staffApart ? person(index + 1, -(index + 1)) : person(counts.clients + index + 1, counts.clients + index + 1)
  )
  for (const [index, client] of clients.entries()) {
    client.organizations = range(index % 3).map((which) => pick(organizations, index + which))
    for (const which of range(index % 3)) pick(staff, index + which * 7).linked.push(client.userId)
  }
  const users = staffApart ? clients : [...clients, ...staff]

  const assessments = range(counts.assessments).map((index) => {
    const status = pick(['completed', 'pending', 'reserved'] as const, index + Math.floor(index / 7))
    // Two assessments per minute.
    const created = minutesOn(scatter(index, counts.assessments / 2))
    const practitioner = index % 11 === 0 ? null : pick(staff, index)
    return {
      ...{ id: index + 1, user: pick(users, scatter(index, users.length)), practitioner, status, created },
      ...{ licence: `LIC-${index % 97}`, type: pick(['personality', 'aptitude'], index) },
      assigned: status === 'reserved' ? null : minutesOn(60, created),
      concluded: status === 'completed' ? minutesOn(1500, created) : null
    }
  })
  const payments = range(counts.payments).map((index) => {
    const processorStatus = pick(['succeeded', 'pending', 'succeeded', 'failed'] as const, index)
    const created = minutesOn(scatter(index, counts.payments / 2))
    const isPaid = processorStatus === 'succeeded'
    return {
      ...{ id: index + 1, amount: (9.5 + (index % 400) / 4).toFixed(2), quantity: 1 + (index % 5), created },
      user: guests && index % 9 === 0 ? guest : pick(users, scatter(index, users.length)),
      ...{ intent: `pi_${index.toString(36)}`, paid: isPaid ? minutesOn(7, created) : null },
      ...{ method: pick(['card', 'transfer'], index), status: isPaid ? 'paid' : 'open' },
      processorStatus: words?.[processorStatus] ?? processorStatus
    }
  })
  return { clients, staff, assessments, payments }
}

/** The clinic as data of the oracle. */
export const dataOf = ({ clients, staff, assessments, payments }: Clinic): Data => ({
  users: [...clients, ...staff].map(({ userId, first, last, email, avatar }) => ({
    ...{ user_id: userId, first_name: first, last_name: last, email, avatar_url: avatar }
  })),
  practitioners: staff.map(({ id, first, last }) => ({ practitioner_id: id, first_name: first, last_name: last })),
  memberships: clients.flatMap(({ userId: user_id, organizations }) =>
    organizations.map((org_name) => ({ user_id, org_name }))
  ),
  links: staff.flatMap(({ userId: owner_id, linked }) => linked.map((user_id) => ({ owner_id, user_id }))),
  assessments: assessments.map(({ id, licence, type, user, practitioner, status, assigned, concluded, created }) => ({
    ...{ assessment_id: id, licence, assessment_type: type, status, created_at: created },
    ...{ user_id: user.userId, practitioner_id: practitioner?.id ?? null },
    ...{ date_assignment: assigned, date_conclusion: concluded }
  })),
  payments: payments.map(({ id, user, amount, quantity, intent, paid, method, status, processorStatus, created }) => ({
    // The guest has the number 0.
    ...{ payment_id: id, user_id: user.userId || null, amount: Number(amount), quantity, payment_intent: intent },
    ...{ paid_at: paid, payment_method: method, payment_status: status, created_at: created },
    processor_status: processorStatus
  }))
})
