import t from 'tap'
import { tablesOf } from '../../../examples/schemas/renamed-columns.js'
import { checkSchema } from '../../support/schemas.js'

checkSchema(t, {
  tablesOf,
  records: { assessments: 'runs', payments: 'invoices' },
  joined: ['company_accounts'],
  tables: [
    'create table accounts (account_no int primary key, forename varchar(50) not null, surname varchar(50) not null, mail varchar(100) not null, picture varchar(200))',
    'create table companies (company_no int primary key, title varchar(50) not null)',
    'create table company_accounts (company_no int not null, account_no int not null, primary key (account_no, company_no))',
    'create table mentor_accounts (mentor_no int not null, account_no int not null, primary key (mentor_no, account_no))',
    'create table runs (run_no int primary key, code varchar(20) not null, questionnaire varchar(20) not null, account_no int not null, mentor_no int, state varchar(9) not null, started_at datetime, finished_at datetime, booked_at datetime not null)',
    'create index runs_newest on runs (booked_at, run_no)',
    'create index runs_own on runs (account_no, booked_at, run_no)',
    'create index runs_own_state on runs (account_no, state)',
    'create index runs_state on runs (state, booked_at, run_no)',
    'create table invoices (invoice_no int primary key, account_no int not null, cents int not null, pieces int not null, stripe_id varchar(30) not null unique, settled_at datetime, method varchar(20) not null, state varchar(20) not null, stripe_state varchar(20) not null, issued_at datetime not null)',
    'create index invoices_newest on invoices (issued_at, invoice_no)',
    'create index invoices_own on invoices (account_no, issued_at, invoice_no)',
    'create index invoices_own_state on invoices (account_no, stripe_state)',
    'create index invoices_state on invoices (stripe_state, issued_at, invoice_no)'
  ],
  rows({ clients, staff, assessments, payments }) {
    const titles = [...new Set(clients.flatMap(({ organizations }) => organizations))]
    return {
      accounts: [...clients, ...staff].map(({ id, first, last, email, avatar }) => ({
        account_no: id,
        forename: first,
        surname: last,
        mail: email,
        picture: avatar
      })),
      companies: titles.map((title, index) => ({ company_no: index + 1, title })),
      company_accounts: clients.flatMap(({ id, organizations }) =>
        organizations.map((title) => ({ company_no: titles.indexOf(title) + 1, account_no: id }))
      ),
      mentor_accounts: staff.flatMap(({ id, linked }) => linked.map((account_no) => ({ mentor_no: id, account_no }))),
      runs: assessments.map(({ id, licence, type, user, practitioner, status, assigned, concluded, created }) => ({
        run_no: id,
        code: licence,
        questionnaire: type,
        account_no: user.id,
        mentor_no: practitioner?.id ?? null,
        state: status,
        started_at: assigned,
        finished_at: concluded,
        booked_at: created
      })),
      invoices: payments.map((payment) => ({
        invoice_no: payment.id,
        account_no: payment.user.id,
        cents: Math.round(Number(payment.amount) * 100),
        pieces: payment.quantity,
        stripe_id: payment.intent,
        settled_at: payment.paid,
        method: payment.method,
        state: payment.status,
        stripe_state: payment.processorStatus,
        issued_at: payment.created
      }))
    }
  }
})
