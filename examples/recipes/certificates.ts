import { column, defineList, type ItemOf } from 'fastify-assessment-payment-listing'

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

  fields: {
    certificate_id: column.id({ examples: ['81'] }),
    email: { column: 'users.email', description: 'Of the holder.', examples: ['zoe@example.org'] },
    title: column.text({ examples: ['First aid'] }),
    level: column.enum(['basic', 'expert'], {
      whenNull: 'null',
      description: 'Null for a course without an exam.',
      examples: ['basic']
    }),
    score: column.decimal({ whenNull: 'null', examples: [87.5] }),
    issuedAt: { column: 'issued_at', examples: ['2026-03-01T09:30:00Z'] }
  },
  columns: {
    holder_id: column.id(),
    issued_at: column.utcTime({ whenNull: 'error' })
  },
  id: 'certificate_id',
  owner: 'holder_id',
  order: '-issued_at',

  search: { columns: ['title', 'users.email'], examples: ['aid'] },
  filters: {
    level: { counted: true, description: 'Only certificates of this level.', examples: ['basic'] },
    issued: { column: 'issued_at', range: true }
  },

  record: {
    path: '/certificate/:certificate_id',
    key: 'certificate',
    messages: { found: 'Certificate retrieved successfully.', notFound: 'There is no such certificate.' }
  },
  roles: { Individual: 'own', Practitioner: 'linked', Admin: 'all' },
  messages: {
    found: 'Certificates retrieved successfully.',
    forbidden: 'You do not have permission to access these certificates.'
  }
})

export type Certificate = ItemOf<typeof certificates>
