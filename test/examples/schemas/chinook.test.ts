import { CamelCasePlugin } from 'kysely'
import t from 'tap'
import { tablesOf } from '../../../examples/schemas/chinook.js'
import type { Clinic, Person } from '../../support/clinic.js'
import type { DatabaseName } from '../../support/databases.js'
import { checkSchema } from '../../support/schemas.js'

/** The columns that the mapping reads. */
const tables = [
  'create table Employee (EmployeeId integer not null primary key, LastName varchar(20) not null, FirstName varchar(20) not null)',
  'create table Customer (CustomerId integer not null primary key, FirstName varchar(40) not null, LastName varchar(20) not null, Company varchar(80), Email varchar(60) not null, SupportRepId integer)',
  'create index CustomerSupportRepId on Customer (SupportRepId)',
  'create table Genre (GenreId integer not null primary key, Name varchar(120))',
  'create table Track (TrackId integer not null primary key, Name varchar(200) not null, GenreId integer)',
  'create table Invoice (InvoiceId integer not null primary key, CustomerId integer not null, InvoiceDate datetime not null, Total numeric(10, 2) not null)',
  'create index InvoiceCustomerId on Invoice (CustomerId)',
  'create table InvoiceLine (InvoiceLineId integer not null primary key, InvoiceId integer not null, TrackId integer not null)',
  'create index InvoiceLineInvoiceId on InvoiceLine (InvoiceId)',
  // added
  'create index InvoiceNewest on Invoice (InvoiceDate, InvoiceId)',
  'create index InvoiceOwn on Invoice (CustomerId, InvoiceDate, InvoiceId)'
]

/** PostgreSQL has the same names in snake case. */
const namesOf = (name: DatabaseName) => (statement: string) =>
  name === 'postgres'
    ? statement.replace(/\b(?:[A-Z][a-z]+)+\b/g, (word) => word.replace(/(?<=.)(?=[A-Z])/g, '_').toLowerCase())
    : statement

/** Each line of an invoice is an assessment. Each third customer has no support and each second no company. */
const fit = ({ clients, staff, payments }: Clinic): Clinic => {
  for (const one of staff) one.linked = []
  const repOf = new Map<Person, Person>()
  for (const [index, client] of clients.entries()) {
    client.avatar = null
    client.organizations = client.organizations.slice(0, index % 2)
    const rep = index % 3 === 0 ? undefined : staff[index % staff.length]
    rep?.linked.push(client.userId)
    if (rep) repOf.set(client, rep)
  }
  const invoices = payments.map((payment) => ({
    ...payment,
    quantity: 1,
    intent: `invoice-${payment.id}`,
    paid: payment.created,
    method: '',
    status: 'paid' as const,
    processorStatus: 'succeeded'
  }))
  return {
    clients,
    staff,
    assessments: invoices.flatMap(({ id, user, created }) =>
      [0, 1].map((line) => ({
        id: 2 * id + line,
        licence: `Track ${(id + line) % 97}`,
        type: ['Rock', 'Jazz', ''][((id + line) % 97) % 3] as string,
        user,
        practitioner: repOf.get(user) ?? null,
        status: 'completed' as const,
        assigned: created,
        concluded: created,
        created
      }))
    ),
    payments: invoices
  }
}

checkSchema(t, {
  shape: { staffApart: true },
  fit,
  plugins: (name) => (name === 'postgres' ? [new CamelCasePlugin()] : []),
  tablesOf,
  tables: (name) => tables.map(namesOf(name)),
  records: { assessments: 'InvoiceLine', payments: 'Invoice' },
  // The date of a line is in another table.
  indexed: ['payments'],
  small: ['Employee'],
  rows: ({ clients, staff, assessments, payments }) => ({
    Employee: staff.map(({ id, first, last }) => ({ EmployeeId: id, FirstName: first, LastName: last })),
    Customer: clients.map(({ id, userId, first, last, email, organizations }) => ({
      CustomerId: id,
      FirstName: first,
      LastName: last,
      Company: organizations[0] ?? null,
      Email: email,
      SupportRepId: staff.find(({ linked }) => linked.includes(userId))?.id ?? null
    })),
    Genre: ['Rock', 'Jazz'].map((name, index) => ({ GenreId: index + 1, Name: name })),
    Track: Array.from({ length: 97 }, (_, index) => ({
      TrackId: index + 1,
      Name: `Track ${index}`,
      GenreId: [1, 2, null][index % 3]
    })),
    Invoice: payments.map(({ id, user, amount, created }) => ({
      InvoiceId: id,
      CustomerId: user.id,
      InvoiceDate: created,
      Total: amount
    })),
    InvoiceLine: assessments.map(({ id, licence }) => ({
      InvoiceLineId: id,
      InvoiceId: Math.floor(id / 2),
      TrackId: Number(licence.slice('Track '.length)) + 1
    }))
  })
})
