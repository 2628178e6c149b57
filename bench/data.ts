/**
 * The data set: always the same for a scale, in the default tables with their own indexes. Few users have
 * many records and many have few; ids, dates and names are spread by a hash of the row's number.
 */
import { Kysely, MysqlDialect } from 'kysely'
import { createPool } from 'mysql2'
import { listingMigrations } from '../dist/index.js'
import type { BenchDatabase } from './database.ts'

// 'an' stands in a quarter of the names, 'doro' in one of 120, 'zorn' in those of former users only
const firstNames =
  'Hannah Daniel Joanna Frank Susan Stefan Diana Ian Giovanni Amelie Ben Chloe Elena Giulia Ivo Julia Kofi Laura Marek ' +
  'Nadia Oscar Priya Quentin Rosa Tomas Zoe Peter Mia Noah Liam Emma Olivia Lucas Sofia Hugo Alice Leo Clara Oskar Ida ' +
  'Erik Karl Nora Lena Mark Paul Ruth Judith Victor Simon Eric Philip Marie Louise Carl George Henry Edith Agnes Dorothy'
const lastNames =
  'Jansen Andersen Grant Hoffmann Evans Fernandez Sanchez Baker Costa Dubois Ferrari Ito Kowalski Lopez Petrov Quinn ' +
  'Rossi Weiss Novak Smith Jones Brown Taylor Wilson Davies Thomas Roberts Walker Wright Hughes Edwards Green Lewis Wood ' +
  'Harris Martin Jackson Clarke Turner Hill Cooper Morris Moore Ward Watson King Lee Young Allen Scott'
const domains = 'mail.example mail.example mail.example post.example web.example school.example clinic.example'

export const terms = { broad: 'an', selective: 'doro', rare: 'a1b2', former: 'zorn', none: 'zzqxj' }

/** Makes the tables and fills them. */
export async function loadData({ url, connection }: BenchDatabase, scale: number) {
  const db = new Kysely({ dialect: new MysqlDialect({ pool: createPool(url) }) })
  for (const { up } of Object.values(listingMigrations)) await up(db)
  await db.destroy()

  await connection.query('set session unique_checks = 0, foreign_key_checks = 0')
  const users = Math.round(200_000 * scale)
  const records = Math.round(1_000_000 * scale)
  const parts: { table: string; count: number; select: string; where?: string }[] = [
    { table: 'users', count: users, select: usersSelect },
    ...[0.9, 0.5, 0.2, 0.1].map((share) => ({
      table: 'memberships',
      count: users,
      select: membershipsSelect(share),
      where: `where ${chance(`member${share}`)} < ${share}`
    })),
    { table: 'links', count: Math.round(users / 5), select: linksSelect(users) },
    { table: 'assessments', count: records, select: assessmentsSelect(users, records) },
    { table: 'payments', count: records, select: paymentsSelect(users, records) }
  ]
  const step = 20_000
  for (const { table, count, select, where = '' } of parts) {
    console.error(`${count} rows for ${table}`)
    for (let from = 1; from <= count; from += step) {
      const to = Math.min(count, from + step - 1)
      await connection.query(`insert ignore into ${table} ${select} from seq_${from}_to_${to} as s ${where}`)
    }
  }
  for (const { owner, linked } of ownersOf(scale)) {
    // from those with many records to those with few, so that they have as many at every scale
    const rank = `floor((s.seq - 0.5) * ${users / linked})`
    await connection.query(`
      delete from links where owner_id = ${owner};
      insert into links select ${owner}, ${userOfRank(rank, users)} from seq_1_to_${linked} as s`)
  }
  // A desk for which many practitioners work, and leads of eight practitioners who have records of their own.
  const practitioners = practitionersOf(users)
  await connection.query(`
    create index assessments_practitioner on assessments (practitioner_id, created_at, assessment_id);
    create table staff (owner_id int not null, linked_id int not null, primary key (owner_id, linked_id));
    insert into staff select ${users}, 1 + (s.seq - 1) * ${Math.max(1, practitioners / 200)} from seq_1_to_${Math.min(200, practitioners)} as s;
    insert ignore into staff select u.user_id, 1 + (u.user_id + s.seq * 31) % ${practitioners}
      from (${personsOf40}) as u join seq_1_to_8 as s`)
  await connection.query('analyze table users, memberships, links, assessments, payments, staff')
}

const practitionersOf = (users: number) => Math.ceil(users / 100)

/** The users with about 40 assessments. */
export const personsOf40 =
  'select user_id from assessments group by user_id order by abs(cast(count(*) as signed) - 40), user_id limit 300'

/** The practitioners of the scenarios; hardly any records are their own. */
export const ownersOf = (scale: number) => {
  const users = Math.round(200_000 * scale)
  return [
    { owner: users - 1, linked: 50 },
    { owner: users, linked: Math.min(5_000, users / 2) }
  ]
}

/** A number from 0 to 1 that a row always has. */
const chance = (salt: string, part: 0 | 1 | 2 | 3 = 0) =>
  `conv(substr(md5(concat('${salt}', s.seq)), ${part * 8 + 1}, 8), 16, 10) / 4294967296`

/** One of the words, the last one half as often as each of the others. */
function wordOf(words: string, number: string) {
  const list = words.split(' ')
  return `elt(1 + floor(${number} * ${list.length - 0.5}), ${list.map((word) => `'${word}'`).join(', ')})`
}

/** Whoever is at this place in the order of who has most, spread over all ids. */
const userOfRank = (rank: string, users: number) => `1 + (${rank}) * 7919 % ${users}`

/** Whether a user left long ago. */
const isFormer = (id: string) => `(${id} % 50 = 7)`

/** A user by chance: the first of 200,000 has some 2,200 of a million records, most have two or three. */
const someUser = (salt: string, users: number) => userOfRank(`floor(pow(${chance(salt)}, 2) * ${users})`, users)

/** In the early days every fifth record is one of a former user, later none is: that is another one's. */
const perhapsFormer = (user: string, early: string) =>
  `if((@user := ${user}) and ${early}, if(s.seq % 5, @user, 50 * floor((@user - 1) / 50) + 7), @user + ${isFormer('@user')})`

/** Five years in the order of the ids but for a day, and by the minute, so that there are ties. */
const creation = (salt: string, count: number) =>
  `date_add('2021-01-01', interval floor(s.seq * ${(5 * 365 * 1440) / count} + ${chance(salt)} * 1440) minute)`

const usersSelect = `select s.seq,
  @first := ${wordOf(firstNames, chance('user'))},
  @last := if(${isFormer('s.seq')}, 'Zorn', ${wordOf(lastNames, chance('user', 1))}),
  concat(lower(@first), '.', lower(@last), '.', lower(hex(s.seq)), '@', ${wordOf(domains, chance('user', 2))}),
  if(s.seq % 2, concat('https://cdn.example/', s.seq, '.png'), null)`

const membershipsSelect = (share: number) =>
  `select s.seq, concat('Organization ', lpad(floor(pow(${chance(`member${share}`, 1)}, 2) * 500), 3, '0'))`

const linksSelect = (users: number) => `select 1 + s.seq % ${practitionersOf(users)}, ${someUser('link', users)}`

const assessmentsSelect = (users: number, count: number) => `select s.seq, concat('LIC-', lpad(s.seq % 9973, 6, '0')),
  elt(1 + s.seq % 4, 'personality', 'aptitude', 'leadership', '360_feedback'),
  ${perhapsFormer(someUser('assessment', users), `s.seq <= ${count / 20}`)}, if(${chance('assessment', 1)} < 0.03, null, 1 + s.seq * 31 % ${practitionersOf(users)}),
  @status := elt(1 + (${chance('assessment', 2)} > 0.8) + (${chance('assessment', 2)} > 0.87), 'completed', 'pending', 'reserved'),
  @created := ${creation('created', count)}, if(@status = 'completed', date_add(@created, interval s.seq % 30 day), null), @created`

const paymentsSelect = (users: number, count: number) => `select s.seq, ${someUser('payment', users)},
  floor(${chance('payment', 1)} * 50000) / 100 + 1, 1 + s.seq % 3, concat('pi_', substr(md5(concat('intent', s.seq)), 1, 24)),
  if((@paid := ${chance('payment', 2)}) < 0.85, @created := ${creation('paid', count)}, null),
  elt(1 + s.seq % 3, 'card', 'sepa_debit', 'paypal'), if(@paid < 0.85, 'paid', 'open'),
  elt(1 + (@paid > 0.85) + (@paid > 0.91) + (@paid > 0.96) + (@paid > 0.99), 'succeeded', 'pending', 'failed', 'canceled', 'complete'),
  ${creation('paid', count)}`
