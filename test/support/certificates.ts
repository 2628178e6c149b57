/** Two lists of a host: certificates with an owner and an order of their own, and rooms without a search in users. */
import { column, defineList, payments } from '../../src/index.js'
import type { Db } from './databases.js'

export const certificates = defineList({
  name: 'certificates',
  path: '/certificate/list',
  key: 'certificates',
  openapi: {
    name: 'Certificate',
    operationId: 'listCertificates',
    summary: 'List certificates',
    description: 'The certificates that the caller may see, newest first.'
  },
  columns: {
    certificate_id: column.id(),
    holder_id: column.id(),
    title: column.text(),
    level: column.oneOf(['basic', 'expert (C++)'], { whenNull: 'null' }),
    score: column.decimal({ whenNull: 'null' }),
    issued_at: column.utcTime({ whenNull: 'error' })
  },
  id: 'certificate_id',
  owner: 'holder_id',
  newest: 'issued_at',
  fields: {
    certificate_id: { examples: ['81'] },
    holder: { column: 'holder_id', examples: ['17'] },
    email: { column: 'users.email', examples: ['zoe@example.org'] },
    org_names: { column: 'memberships.org_name', examples: [['Acme']] },
    title: { examples: ['First aid'] },
    level: { examples: ['basic', null] },
    score: { examples: [87.5] },
    issued_at: { examples: ['2024-03-01T09:30:00Z'] }
  },
  search: { columns: ['title', 'users.email'], examples: ['aid'] },
  filters: { level: { examples: ['basic'] }, issued: { column: 'issued_at', range: true } },
  roles: { Individual: 'own', Practitioner: 'linked', 'Master Practitioner': 'linked', Admin: 'all' },
  messages: { found: 'Certificates found.', forbidden: 'You may not see certificates.' }
})

export const rooms = defineList({
  name: 'rooms',
  path: '/room/list',
  key: 'rooms',
  openapi: { name: 'Room', operationId: 'listRooms', summary: 'List rooms', description: 'The rooms.' },
  columns: {
    room_id: column.id(),
    booked_by: column.id({ whenNull: 'empty' }),
    title: column.text(),
    booked_at: column.wallTime({ whenNull: 'error' })
  },
  id: 'room_id',
  owner: 'booked_by',
  newest: 'booked_at',
  fields: {
    room_id: { examples: ['3'] },
    title: { examples: ['Blue'] },
    booked_at: { examples: ['2024-03-01 09:30:00'] }
  },
  search: { columns: ['title'], examples: ['blue'] },
  filters: { booked: { column: 'booked_at', range: true } },
  roles: { Individual: 'own', Admin: 'all' },
  otherRoles: 'own',
  messages: { found: 'Rooms found.', forbidden: 'You may not see rooms.' }
})

/** The payments with a filter that they do not have, and a range of times. */
export const morePayments = payments.extend({
  fields: { method: { column: 'payment_method', examples: ['card'] } },
  filters: { payment_method: { examples: ['card'] }, created: { column: 'created_at', range: true } }
})
export type Hm = Db
