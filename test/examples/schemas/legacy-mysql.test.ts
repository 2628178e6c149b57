import t from 'tap'
import { tablesOf } from '../../../examples/schemas/legacy-mysql.js'
import { minutesOn } from '../../support/fixtures/clinic.js'
import { checkSchema } from '../../support/fixtures/schemas.js'

/** The same instant by a clock so many hours east. */
const shifted = (time: string, hours: number) => minutesOn(hours * 60, time)
/** What is missing, as old MySQL has it. */
const never = '0000-00-00 00:00:00'

checkSchema(t, {
  databases: ['mysql'],
  tablesOf,
  records: { assessments: 'tbl_test', payments: 'tbl_order' },
  tables: () => [
    // what it was made with: zero dates allowed, and TIMESTAMPs given in UTC
    "set sql_mode = '', time_zone = '+00:00'",
    'create table tbl_user (usr_id int unsigned primary key, usr_fname varchar(50) not null, usr_lname varchar(50) not null, usr_mail varchar(100) not null, usr_pic varchar(200) not null) character set latin1',
    'create table tbl_user_org (usr_id int unsigned not null, org_name varchar(50) not null, primary key (usr_id, org_name)) character set latin1',
    'create table tbl_coach_user (coach_id int unsigned not null, usr_id int unsigned not null, primary key (coach_id, usr_id)) character set latin1',
    `create table tbl_test (tst_id int unsigned primary key, tst_code varchar(20) not null, tst_kind varchar(20) not null, usr_id int unsigned not null, coach_id int unsigned not null default 0, tst_state tinyint not null, tst_assigned_local datetime not null, tst_done timestamp null, tst_created timestamp not null default current_timestamp, key (tst_created, tst_id), key (usr_id, tst_created, tst_id)) character set latin1`,
    `create table tbl_order (ord_id int unsigned primary key, usr_id int unsigned not null, ord_total decimal(10, 2) not null, ord_qty smallint not null, ord_code char(20) not null unique, ord_paid timestamp null, ord_method char(10) not null, ord_state char(10) not null, psp_state char(10) not null, ord_created_local datetime not null, key (ord_created_local, ord_id), key (usr_id, ord_created_local, ord_id), key (psp_state, ord_created_local, ord_id)) character set latin1`
  ],
  rows: ({ clients, staff, assessments, payments }) => ({
    tbl_user: [...clients, ...staff].map(({ id, first, last, email, avatar }) => ({
      usr_id: id,
      usr_fname: first,
      usr_lname: last,
      usr_mail: email,
      usr_pic: avatar ?? ''
    })),
    tbl_user_org: clients.flatMap(({ id, organizations }) =>
      organizations.map((org_name) => ({ usr_id: id, org_name }))
    ),
    tbl_coach_user: staff.flatMap(({ id, linked }) => linked.map((usr_id) => ({ coach_id: id, usr_id }))),
    tbl_test: assessments.map(({ id, licence, type, user, practitioner, status, assigned, concluded, created }) => ({
      tst_id: id,
      tst_code: licence,
      tst_kind: type,
      usr_id: user.id,
      coach_id: practitioner?.id ?? 0,
      tst_state: ['reserved', 'pending', 'completed'].indexOf(status) + 1,
      tst_assigned_local: assigned === null ? never : shifted(assigned, 9),
      tst_done: concluded ?? never,
      tst_created: created
    })),
    // what the clinic calls a payment's times is what the clock in Tokyo showed
    tbl_order: payments.map((payment) => ({
      ord_id: payment.id,
      usr_id: payment.user.id,
      ord_total: payment.amount,
      ord_qty: payment.quantity,
      ord_code: payment.intent,
      ord_paid: payment.paid === null ? never : shifted(payment.paid, -9),
      ord_method: payment.method,
      ord_state: payment.status,
      psp_state: payment.processorStatus,
      ord_created_local: payment.created
    }))
  })
})
