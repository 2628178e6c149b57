/**
 * Chinook, a shop of digital music, on MySQL, MariaDB and SQLite. The lines of its invoices, each a track that a
 * customer bought, stand for the assessments. What the mapping has to solve: the ids of customers and employees overlap,
 * the customer and the date of a line are in the invoice, and an invoice has no quantity, no status and no order code.
 *
 * On PostgreSQL the same tables are called `invoice_line`, and their columns `invoice_line_id`. With Kysely's
 * `CamelCasePlugin`, the mapping stays as it is.
 *
 * Customers keep their ids, and employees are called by the negative of theirs:
 *
 *     resolveRole: ({ user }) => user.kind === 'employee'
 *       ? { userId: -user.id, role: 'Practitioner' }
 *       : { userId: user.id, role: 'Individual' }
 *
 * - An employee sees the tracks of the customers whom they support. A customer may have a company.
 * - Joins add no rows, because they find one row at most.
 * - The quantity is 1. A join with the lines would repeat the invoice, and for a subquery that counts the lines MySQL
 *   builds the table of all payments for each page.
 *
 * Chinook lacks the indexes of the order of invoices:
 *
 *     create index Invoice_newest on Invoice (InvoiceDate, InvoiceId)
 *     create index Invoice_own on Invoice (CustomerId, InvoiceDate, InvoiceId)
 *
 * No index serves the order of the lines, because their date is in another table. Each page of an Admin sorts all
 * lines, which is no matter for some thousand. For more, store the date and the customer with the line.
 */
import type { ListingTables } from 'fastify-assessment-payment-listing'
import { type Kysely, type NotNull, sql } from 'kysely'

export interface DB {
  Customer: {
    CustomerId: number
    FirstName: string
    LastName: string
    Email: string
    Company: string | null
    SupportRepId: number | null
  }
  Employee: { EmployeeId: number; FirstName: string; LastName: string }
  Genre: { GenreId: number; Name: string | null }
  Track: { TrackId: number; Name: string; GenreId: number | null }
  Invoice: { InvoiceId: number; CustomerId: number; InvoiceDate: Date; Total: string }
  InvoiceLine: { InvoiceLineId: number; InvoiceId: number; TrackId: number; UnitPrice: string }
}

export const tablesOf = (db: Kysely<DB>) =>
  ({
    users: db
      .selectFrom('Customer')
      .select(['CustomerId as user_id', 'FirstName as first_name', 'LastName as last_name', 'Email as email'])
      .select(sql<null>`null`.as('avatar_url')),
    practitioners: db
      .selectFrom('Employee')
      .select(['EmployeeId as practitioner_id', 'FirstName as first_name', 'LastName as last_name']),
    memberships: db
      .selectFrom('Customer')
      .where('Company', 'is not', null)
      .select(['CustomerId as user_id', 'Company as org_name']),
    links: db
      .selectFrom('Customer')
      .where('SupportRepId', 'is not', null)
      .select((eb) => eb.neg(eb.ref('SupportRepId')).as('owner_id'))
      .select('CustomerId as user_id')
      .$narrowType<{ owner_id: NotNull }>(),
    assessments: db
      .selectFrom('InvoiceLine')
      .innerJoin('Invoice', 'Invoice.InvoiceId', 'InvoiceLine.InvoiceId')
      .innerJoin('Customer', 'Customer.CustomerId', 'Invoice.CustomerId')
      .leftJoin('Track', 'Track.TrackId', 'InvoiceLine.TrackId')
      .leftJoin('Genre', 'Genre.GenreId', 'Track.GenreId')
      .select(['InvoiceLine.InvoiceLineId as assessment_id', 'Track.Name as licence', 'Genre.Name as assessment_type'])
      .select(['Invoice.CustomerId as user_id', 'Customer.SupportRepId as practitioner_id'])
      .select(sql<'completed'>`'completed'`.as('status'))
      .select(['Invoice.InvoiceDate as date_assignment', 'Invoice.InvoiceDate as date_conclusion'])
      .select('Invoice.InvoiceDate as created_at'),
    payments: db
      .selectFrom('Invoice')
      .select(['InvoiceId as payment_id', 'CustomerId as user_id', 'Total as amount'])
      .select(sql<number>`1`.as('quantity'))
      .select((eb) => eb.fn<string>('concat', [sql.lit('invoice-'), 'InvoiceId']).as('payment_intent'))
      .select(['InvoiceDate as paid_at', 'InvoiceDate as created_at'])
      .select([sql<null>`null`.as('payment_method'), sql<string>`'paid'`.as('payment_status')])
      .select(sql<string>`'succeeded'`.as('processor_status'))
  }) satisfies ListingTables
