/** The oracle computes the answers of docs/contract.md in memory. It runs no code of `src`. */
import type { Reach } from '../../src/index.js'
import * as world from './world.js'

type Id = string | number | bigint

interface AssessmentRow {
  assessment_id: number
  licence: string
  assessment_type: string
  user_id: Id | null
  practitioner_id: Id | null
  status: string
  date_assignment: string | null
  date_conclusion: string | null
  created_at: string
}

interface PaymentRow {
  payment_id: number
  user_id: Id | null
  amount: number
  quantity: number
  payment_intent: string
  paid_at: string | null
  payment_method: string
  payment_status: string
  processor_status: string
  created_at: string
}

interface CertificateRow {
  certificate_id: number
  holder_id: Id
  title: string | null
  level: string | null
  score: number | null
  issued_at: string
}

interface RoomRow {
  room_id: number
  booked_by: Id | null
  title: string
  booked_at: string
}

/** The rows of the default tables. */
export interface Data {
  users: readonly { user_id: Id; first_name: string; last_name: string; email: string; avatar_url: string | null }[]
  /** The default is the users. */
  practitioners?: readonly { practitioner_id: Id; first_name: string; last_name: string }[]
  memberships: readonly { user_id: Id; org_name: string }[]
  links: readonly { owner_id: Id; user_id: Id }[]
  assessments: readonly AssessmentRow[]
  payments: readonly PaymentRow[]
  /** The tables of the lists in ./host-lists.ts. */
  certificates?: readonly CertificateRow[]
  rooms?: readonly RoomRow[]
}

export interface Caller {
  userId: Id
  role: string
  /** The reach that the option `visibility` gives to the role (contract 61). */
  reach?: Reach
}

export type DefaultList = 'assessments' | 'payments'
/** With the lists of ./host-lists.ts. */
export type List = DefaultList | 'certificates' | 'rooms'

/** A request. */
export interface Question {
  list: List
  reach: Reach
  /** The ids of the caller and of the linked users. */
  users: ReadonlySet<string>
  parameters: URLSearchParams
  search: string
  status: string
  /** The ends of a range of times, in the form of `created`. */
  from: string
  to: string
  page: number
  limit: number
}

/** A record. */
export interface Entry {
  id: number
  userId: Id | null
  created: string
  status: string
  /** The texts that a search matches (contract 71 and 72). */
  texts: string[]
  item(): Record<string, unknown>
}

/** The rules that choose and order the records. */
export interface Rules<Asked extends Question = Question> {
  isVisible(entry: Entry, asked: Asked): boolean
  isFound(entry: Entry, asked: Asked): boolean
  hasStatus(entry: Entry, asked: Asked): boolean
  isInRange(entry: Entry, asked: Asked): boolean
  compare(a: Entry, b: Entry, asked: Asked): number
  offset(asked: Asked): number
}

export const contract: Rules = {
  // contract 62 to 66 and 69
  isVisible: ({ userId }, { reach, users }) => reach === 'all' || (userId !== null && users.has(String(userId))),
  // contract 9, 73, 74, 76 and 77
  isFound: ({ texts }, { search }) => texts.some((text) => text.toLowerCase().includes(search.toLowerCase())),
  // contract 13 and 14
  hasStatus: (entry, { status }) => status === '' || entry.status === status,
  // contract 115
  isInRange: ({ created }, { from, to }) => created >= from && (to === '' || created < to),
  // contract 79
  compare: (a, b) => b.created.localeCompare(a.created) || b.id - a.id,
  // contract 16
  offset: ({ page, limit }) => (page - 1) * limit
}

/** Contract 62 to 65 and 68. */
const reaches = new Map<string, Record<List, Reach>>([
  ['Individual', { assessments: 'own', payments: 'own', certificates: 'own', rooms: 'own' }],
  ['Practitioner', { assessments: 'linked', payments: 'own', certificates: 'linked', rooms: 'own' }],
  ['Master Practitioner', { assessments: 'linked', payments: 'own', certificates: 'linked', rooms: 'own' }],
  ['Institutional', { assessments: 'linked', payments: 'own', certificates: 'none', rooms: 'own' }],
  ['Admin', { assessments: 'all', payments: 'all', certificates: 'all', rooms: 'all' }],
  ['Super Admin', { assessments: 'all', payments: 'all', certificates: 'none', rooms: 'own' }]
])
export const reachesOf = (role: string): Record<List, Reach> =>
  reaches.get(role) ?? { assessments: 'none', payments: 'own', certificates: 'none', rooms: 'own' }

/** The path, the parameter of the filter, and the parameter of the range of each list. */
const askedAs: Record<List, [path: string, filter: string, range: string]> = {
  assessments: ['/assessment/list', 'status', ''],
  payments: ['/payment/list', 'processor_status', 'created'],
  certificates: ['/certificate/list', 'level', 'issued'],
  rooms: ['/room/list', '', 'booked']
}

/** Contract 1, 2, 7, 11, 12, 16 and 17. */
export function questionOf(url: string, { userId, role, reach }: Caller, { links }: Data = world): Question {
  const { pathname, searchParams: parameters } = new URL(url, 'http://lists')
  const list = (Object.keys(askedAs) as List[]).find((name) => pathname.endsWith(askedAs[name][0])) ?? 'payments'
  const [, filter, range] = askedAs[list]
  const time = (end: string) => (parameters.get(`${range}_${end}`) ?? '').replace('T', ' ').replace('Z', '')
  const known = reach ?? reachesOf(role)[list]
  const linked = links.filter(({ owner_id }) => known === 'linked' && String(owner_id) === String(userId))
  return {
    list,
    reach: known,
    users: new Set([userId, ...linked.map(({ user_id }) => user_id)].map(String)),
    parameters,
    search: parameters.get('search') ?? '',
    status: parameters.get(filter) ?? '',
    from: time('from'),
    to: time('to'),
    page: Number(parameters.get('page') ?? 1),
    limit: Number(parameters.get('limit') ?? 12)
  }
}

/** The total over all pages, and the items of the requested page (contract 15, 30, 32 and 70). */
export function pageOf<Asked extends Question>(asked: Asked, data: Data = world, rules: Rules<Asked> = contract) {
  const found = entriesOf[asked.list](data)
    .filter((entry) => rules.isVisible(entry, asked) && rules.isFound(entry, asked))
    .filter((entry) => rules.hasStatus(entry, asked) && rules.isInRange(entry, asked))
    .sort((a, b) => rules.compare(a, b, asked))
  const start = rules.offset(asked)
  return { total: found.length, items: found.slice(start, start + asked.limit).map((entry) => entry.item()) }
}

/** A day is its first moment. */
const moment = (time: string) => `${time}${' 00:00:00'.slice(Math.max(0, time.length - 10))}`

/** The expected result of `shown` of ./server.ts for a valid request. */
export function expected(url: string, caller: Caller, data: Data = world) {
  const question = questionOf(url, caller, data)
  if (question.reach === 'none') return { status: 403, total: undefined, items: undefined }
  const { from, to } = question
  if (to !== '' && moment(from) > moment(to)) return { status: 400, total: undefined, items: undefined }
  return { status: 200, ...pageOf(question, data) }
}

/** A user or a practitioner who does not exist (contract 78 and 84). */
const nobody = { first_name: '', last_name: '', email: '', avatar_url: null }

function finder<Row extends object>(rows: readonly Row[], id: (row: Row) => Id) {
  const byId = new Map(rows.map((row) => [String(id(row)), row]))
  return (wanted: Id | null) => (wanted === null ? undefined : byId.get(String(wanted)))
}

/** The records and their items (contract 33 to 60 and 83 to 85). */
const entriesOf: Record<List, (data: Data) => Entry[]> = {
  assessments({ assessments, users, practitioners, memberships }) {
    const userOf = finder(users, ({ user_id }) => user_id)
    const practitionerOf = practitioners ? finder(practitioners, ({ practitioner_id }) => practitioner_id) : userOf
    return assessments.map((row) => {
      const { first_name, last_name, email, avatar_url } = userOf(row.user_id) ?? nobody
      const practitioner = practitionerOf(row.practitioner_id) ?? nobody
      const isOfUser = ({ user_id }: { user_id: Id }) => String(user_id) === String(row.user_id)
      return {
        id: row.assessment_id,
        userId: row.user_id,
        created: row.created_at,
        status: row.status,
        texts: [first_name, last_name, email],
        item: () => ({
          assessment_id: String(row.assessment_id),
          licence: row.licence,
          assessment_type: row.assessment_type,
          user_id: String(row.user_id ?? ''),
          first_name,
          last_name,
          email,
          avatarUrl: avatar_url,
          practitioner_id: String(row.practitioner_id ?? ''),
          practitioner_first_name: practitioner.first_name,
          practitioner_last_name: practitioner.last_name,
          org_names: [...new Set(memberships.filter(isOfUser).map(({ org_name }) => org_name))].sort(byCodePoint),
          status: row.status,
          date_assignment: utc(row.date_assignment) ?? '',
          date_conclusion: utc(row.date_conclusion)
        })
      }
    })
  },
  payments({ payments, users }) {
    const userOf = finder(users, ({ user_id }) => user_id)
    return payments.map((row) => {
      const { email } = userOf(row.user_id) ?? nobody
      return {
        id: row.payment_id,
        userId: row.user_id,
        created: row.created_at,
        status: row.processor_status,
        texts: [row.payment_intent, email],
        item: () => ({
          ...row,
          payment_id: String(row.payment_id),
          user_id: String(row.user_id ?? ''),
          email,
          paid_at: row.paid_at ?? ''
        })
      }
    })
  },
  certificates({ certificates = [], users, memberships }) {
    const userOf = finder(users, ({ user_id }) => user_id)
    return certificates.map((row) => {
      const { email } = userOf(row.holder_id) ?? nobody
      const isOfUser = ({ user_id }: { user_id: Id }) => String(user_id) === String(row.holder_id)
      return {
        id: row.certificate_id,
        userId: row.holder_id,
        created: row.issued_at,
        status: row.level ?? '',
        texts: [row.title ?? '', email],
        item: () => ({
          certificate_id: String(row.certificate_id),
          holder: String(row.holder_id),
          email,
          org_names: [...new Set(memberships.filter(isOfUser).map(({ org_name }) => org_name))].sort(byCodePoint),
          title: row.title,
          level: row.level,
          score: row.score,
          issued_at: utc(row.issued_at)
        })
      }
    })
  },
  rooms: ({ rooms = [] }) =>
    rooms.map(({ room_id, booked_by, title, booked_at }) => ({
      id: room_id,
      userId: booked_by,
      created: booked_at,
      status: '',
      texts: [title],
      item: () => ({ room_id: String(room_id), title, booked_at })
    }))
}

/** Contract 47, 48 and 88. */
const utc = (time: string | null) => time && `${time.replace(' ', 'T')}Z`

/** Contract 45: the order of UTF-8 is the order of the code points. */
const byCodePoint = (a: string, b: string) => Buffer.compare(Buffer.from(a), Buffer.from(b))
