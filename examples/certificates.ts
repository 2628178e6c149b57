/** The demo's own list, `GET /certificate/list`: the definition of the recipe with more of what a list can have, and its table. */
import { column } from 'fastify-assessment-payment-listing'
import type { Kysely } from 'kysely'
import { certificates as recipe } from './recipes/certificates.js'

export const certificates = recipe.extend({
  paging: 'after',
  record: {
    path: '/certificate/:certificate_id',
    key: 'certificate',
    messages: { found: 'Certificate retrieved successfully.', notFound: 'There is no such certificate.' }
  },
  fields: {
    state: column.enum(['valid', 'expired', 'revoked'], { examples: ['valid'] }),
    hours: column.integer({ description: 'Length of the course.', examples: [12] }),
    examiner_id: column.id({ whenNull: 'null', description: 'Null without an exam.', examples: ['430'] }),
    remark: column.text({
      whenNull: 'null',
      roles: ['Practitioner', 'Admin', 'Super Admin'],
      examples: ['Calm under pressure.']
    }),
    clinic_id: column.id({ description: 'The clinic of the course.', examples: ['3'] }),
    passed: column.boolean({ examples: [true] }),
    validUntil: {
      column: 'valid_until',
      description: 'Null for a certificate that stays valid.',
      examples: ['2028-03-01']
    }
  },
  columns: { valid_until: column.date({ whenNull: 'null' }) },
  filters: {
    level: { counted: true },
    passed: { counted: true, description: 'Only certificates of those who passed, or who did not.', examples: [true] },
    state: { several: true, counted: true, description: 'Only certificates in these states.', examples: ['valid'] },
    score: { column: 'score', range: true, description: 'Only certificates by their score.' },
    expires: {
      column: 'valid_until',
      range: true,
      description: 'Only certificates by the last day of their validity.'
    },
    has_exam: { column: 'level', present: true, counted: true, description: 'With an exam, or without one.' }
  },
  sort: ['issued_at', 'hours', 'certificate_id']
})

/** The columns have the names of the list, and the links those of the reach, so neither needs an entry in the option `tables`. */
export async function createCertificates({ schema }: Kysely<Record<string, Record<string, unknown>>>): Promise<void> {
  await schema
    .createTable('certificates')
    .addColumn('certificate_id', 'integer', (column) => column.primaryKey())
    .addColumn('holder_id', 'integer', (column) => column.notNull())
    .addColumn('examiner_id', 'integer')
    .addColumn('clinic_id', 'integer', (column) => column.notNull())
    .addColumn('title', 'varchar(100)', (column) => column.notNull())
    .addColumn('level', 'varchar(20)')
    .addColumn('state', 'varchar(20)', (column) => column.notNull())
    .addColumn('hours', 'integer', (column) => column.notNull())
    .addColumn('remark', 'varchar(100)')
    .addColumn('score', 'decimal(5, 1)')
    .addColumn('passed', 'boolean', (column) => column.notNull())
    .addColumn('valid_until', 'date')
    .addColumn('issued_at', 'datetime', (column) => column.notNull())
    .execute()
  for (const columns of [[], ['holder_id'], ['examiner_id'], ['clinic_id'], ['level'], ['state']]) {
    await schema
      .createIndex(['certificates', ...columns, 'issued_at'].join('_'))
      .on('certificates')
      .columns([...columns, 'issued_at', 'certificate_id'])
      .execute()
  }
  await schema
    .createTable('clinic_staff')
    .addColumn('owner_id', 'integer', (column) => column.notNull())
    .addColumn('linked_id', 'integer', (column) => column.notNull())
    .addPrimaryKeyConstraint('clinic_staff_key', ['owner_id', 'linked_id'])
    .execute()
  for (const name of ['score', 'valid_until', 'hours']) {
    await schema.createIndex(`certificates_${name}`).on('certificates').columns([name, 'certificate_id']).execute()
  }
}
