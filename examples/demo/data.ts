/**
 * The demo's data: always the same people, organizations, assessments, payments and certificates, from a seeded
 * generator. The names are of the kind that search has to cope with.
 */

/** Whom the demo lets in: the host's own idea of an account. */
export interface Account {
  userId: number
  roles: string[]
}

type Row = Record<string, string | number | null>

/** The rows of every table, in the order in which they can be inserted. Records are made while they are read. */
export interface Data {
  tables: Record<'users' | 'memberships' | 'links' | 'clinic_staff', Row[]> & Record<Records, Iterable<Row>>
  counts: Record<Records, number>
  accounts: Account[]
}

type Records = 'assessments' | 'payments' | 'certificates'

// first name, last name, and how the two are written in an email address
const people: [first: string, last: string, email: string][] = [
  ['Zoë', "O'Brien", 'zoe.obrien'],
  ['Anna_Maria', 'Lindqvist', 'anna_maria'],
  ['Jean-Luc', 'Lefèvre', 'jean-luc.lefevre'],
  ['Søren', 'Østergård', 'soren.ostergard'],
  ['Nguyễn', 'Thị Hương', 'nguyen_thi_huong'],
  ['美咲', '田中', 'misaki.tanaka'],
  ['Дарья', 'Иванова', 'darya.ivanova'],
  ['Μαρία', 'Παπαδοπούλου', 'maria.papadopoulou'],
  ['فاطمة', 'الزهراء', 'fatima.alzahra'],
  ['नेहा', 'शर्मा', 'neha.sharma'],
  ['지우', '김', 'jiwoo.kim'],
  ['נועה', 'כהן', 'noa.cohen'],
  ["D'Angelo", 'Smith-Jones', 'dangelo.smith-jones'],
  ['Łukasz', 'Wójcik', 'lukasz.wojcik'],
  ['Ana', 'García Márquez', 'ana.garcia'],
  ['Björk', 'Guðmundsdóttir', 'bjork_g'],
  ['İpek', 'Çelik', 'ipek.celik'],
  ['Siobhán', 'Ní Dhomhnaill', 'siobhan'],
  ['Jürgen', 'Groß', 'juergen.gross'],
  ['Mary-Ann', 'van der Berg', 'mary-ann.vdberg']
]
const firstNames =
  'Amélie Ben Chloé Daniel Elena Frank Giulia Hannah Ivan Julia Kofi Laura Marek Nadia Oscar Priya Quentin Rosa Sanne Tomás'
const lastNames =
  "Andersen Baker Costa Dubois Evans Ferrari Grant Hoffmann Ito Jansen Kowalski López MacDonald Novák O'Connor Petrov Quinn Rossi Sánchez Weiß"
const organizations = [
  'Acme',
  'Bureau d’Études',
  'Café Größe',
  'Delta-9',
  'École 42',
  'Foo_Bar Ltd',
  'Zenith',
  '日本語学校'
]
const types = ['personality', 'aptitude', 'leadership', '360_feedback']
const states = ['completed', 'completed', 'completed', 'completed', 'pending', 'reserved']
const processorStates = ['succeeded', 'succeeded', 'succeeded', 'complete', 'pending', 'failed', 'canceled']
const remarks = ['Calm under pressure.', 'Repeat the theory.', 'Reads the manual first.']
const courses = ['First aid', 'Fire safety', 'Data protection', 'Interviewing']
const methods = ['card', 'sepa_debit', 'paypal', 'bank_transfer']

const practitionerCount = 16
const institutionCount = 6
/** How many records there are unless somebody wants more. */
const usual = { assessments: 5_000, payments: 3_000, certificates: 1_200 }
export const usualRows = Object.values(usual).reduce((sum, count) => sum + count)

/** Makes the data. @param rows the number of records, which the three lists share as they share the usual number */
export function makeData(rows = usualRows): Data {
  const share = (count: number) => Math.round((rows * count) / usualRows)
  const [assessmentCount, paymentCount] = [share(usual.assessments), share(usual.payments)]
  const counts = {
    assessments: assessmentCount,
    payments: paymentCount,
    certificates: rows - assessmentCount - paymentCount
  }
  const random = seeded(20240301)
  const below = (count: number) => Math.floor(random() * count)
  const pick = <Value>(values: readonly Value[]): Value => values[below(values.length)] as Value
  // the square makes low numbers common and high ones rare: a few users have most of the records
  const skewed = (count: number) => Math.floor(random() ** 2 * count)

  const names = [
    ...people,
    ...firstNames
      .split(' ')
      .flatMap((first) =>
        lastNames.split(' ').map((last): [string, string, string] => [first, last, latin(`${first}.${last}`)])
      )
  ]
  const users = names.map(([first_name, last_name, email], index) => ({
    user_id: index + 1,
    first_name,
    last_name,
    email: `${email}@${['example.org', 'example.com', 'mail.example.net'][index % 3]}`,
    avatar_url: index % 4 === 0 ? null : `https://cdn.example.org/avatars/${index + 1}.png`
  }))
  const ids = users.map(({ user_id }) => user_id)

  // practitioners, then institutions, then administrators, at the end of the users
  const staff = ids.slice(-practitionerCount - institutionCount - 2)
  const practitioners = staff.slice(0, practitionerCount)
  const institutions = staff.slice(practitionerCount, -2)
  const clients = ids.slice(0, -staff.length)

  const memberships = ids.flatMap((user_id) =>
    organizations.filter(() => random() < 0.2).map((org_name) => ({ user_id, org_name }))
  )
  const links = [...practitioners, ...institutions].flatMap((owner_id, index) =>
    clients.filter((id) => id % (index + 3) === 0).map((user_id) => ({ owner_id, user_id }))
  )

  const clinic_staff = institutions.map((owner_id, index) => ({ owner_id, linked_id: index + 1 }))
  for (const linked_id of [1, 2]) clinic_staff.push({ owner_id: practitioners[1] ?? 0, linked_id })

  const start = Date.UTC(2023, 0, 1)
  // whole quarters of an hour, so that many records share a creation date
  const moment = (index: number, count: number) => start + Math.floor((index / count) * 100_000) * 900_000
  const assessments = made(assessmentCount, (index) => {
    const created = moment(index, assessmentCount)
    const status = pick(states)
    return {
      assessment_id: index + 1,
      licence: `LIC-${2023 + (index % 3)}-${String(index % 997).padStart(4, '0')}`,
      assessment_type: pick(types),
      user_id: random() < 0.03 ? pick(staff) : (clients[skewed(clients.length)] ?? 1),
      practitioner_id: random() < 0.05 ? null : pick(practitioners),
      status,
      date_assignment: dateTime(created + below(48) * 3_600_000),
      date_conclusion: status === 'completed' ? dateTime(created + (48 + below(500)) * 3_600_000) : null,
      created_at: dateTime(created)
    }
  })
  const payments = made(paymentCount, (index) => {
    const created = moment(index, paymentCount)
    const processor_status = pick(processorStates)
    const paid = processor_status === 'succeeded' || processor_status === 'complete'
    return {
      payment_id: index + 1,
      user_id: random() < 0.02 ? null : pick(ids),
      amount: (990 + below(40_000)) / 100,
      quantity: 1 + below(5),
      payment_intent: `pi_${(index + 1).toString(36).padStart(4, '0')}${below(2 ** 30).toString(36)}`,
      paid_at: paid ? dateTime(created + below(3_600) * 1_000) : null,
      payment_method: pick(methods),
      payment_status: paid ? 'paid' : processor_status === 'pending' ? 'open' : 'unpaid',
      processor_status,
      created_at: dateTime(created)
    }
  })

  // one of the practitioners takes courses too
  const holder = (index: number, client: number) => (index % 40 === 32 ? practitioners[2] : undefined) ?? client
  const certificates = made(counts.certificates, (index) => {
    const level = pick(['basic', 'expert', null])
    const score = level === null ? null : (500 + below(500)) / 10
    const issued_at = dateTime(moment(index, counts.certificates))
    const state = random() < 0.05 ? 'revoked' : level && issued_at < '2024' ? 'expired' : 'valid'
    return {
      certificate_id: index + 1,
      holder_id: holder(index, pick(clients)),
      examiner_id: level && (practitioners[index % practitioners.length] ?? null),
      remark: level && (remarks[index % 5] ?? null),
      clinic_id: 1 + (index % institutionCount),
      title: pick(courses),
      level,
      state,
      hours: 4 * (1 + below(10)),
      score,
      passed: Number(score === null || score >= 60),
      // Two years, for those with an exam.
      valid_until: level && `${Number(issued_at.slice(0, 4)) + 2}-${issued_at.slice(5, 7)}-01`,
      issued_at
    }
  })

  const account = (userId: number | undefined, ...roles: string[]): Account => ({ userId: userId ?? 0, roles })
  return {
    tables: { users, memberships, links, clinic_staff, assessments, payments, certificates },
    counts,
    accounts: [
      account(clients[0], 'Individual'),
      account(practitioners[0], 'Practitioner'),
      account(practitioners[2], 'Practitioner', 'Individual'),
      account(practitioners[1], 'Master Practitioner'),
      account(institutions[0], 'Institutional'),
      account(staff.at(-2), 'Admin'),
      account(staff.at(-1), 'Super Admin'),
      account(clients[1], 'ordinary user')
    ]
  }
}

/** Rows that are made while they are read: a million of them need no memory. */
const made = <Row>(count: number, make: (index: number) => Row): Iterable<Row> => ({
  *[Symbol.iterator]() {
    for (let index = 0; index < count; index++) yield make(index)
  }
})

/** Letters without their marks, as in an email address. */
const latin = (name: string): string =>
  name
    .normalize('NFD')
    .replaceAll('ß', 'ss')
    .replace(/[^a-z.]/gi, '')
    .toLowerCase()

const dateTime = (time: number): string => new Date(time).toISOString().slice(0, 19).replace('T', ' ')

/** Numbers from 0 to 1, always the same ones for a seed (the mulberry32 generator). */
function seeded(seed: number): () => number {
  return () => {
    seed = (seed + 0x6d2b79f5) | 0
    let value = Math.imul(seed ^ (seed >>> 15), 1 | seed)
    value = (value + Math.imul(value ^ (value >>> 7), 61 | value)) ^ value
    return ((value ^ (value >>> 14)) >>> 0) / 2 ** 32
  }
}
