// A first list on an empty database: SQLite in memory, or the MySQL, MariaDB or PostgreSQL of DATABASE_URL.
import jwt from '@fastify/jwt'
import Fastify from 'fastify'
import listing, { listingMigrations } from 'fastify-assessment-payment-listing'
import { Kysely, MysqlDialect, PostgresDialect, SqliteDialect } from 'kysely'

const { DATABASE_URL = '', JWT_SECRET = 'only for a first trial', PORT = '3000' } = process.env

async function dialectOf(url) {
  if (/^postgres/.test(url)) {
    const { default: pg } = await import('pg')
    return new PostgresDialect({ pool: new pg.Pool({ connectionString: url }) })
  }
  if (url) {
    const { createPool } = await import('mysql2')
    return new MysqlDialect({ pool: createPool({ uri: url, charset: 'utf8mb4' }) })
  }
  const { default: sqlite } = await import('node-sqlite3-wasm')
  const memory = new sqlite.Database()
  const prepare = (sql) => ({
    reader: /^\s*select/i.test(sql),
    all: (parameters) => memory.all(sql, [...parameters]),
    run: (parameters) => memory.run(sql, [...parameters])
  })
  return new SqliteDialect({ database: { prepare, close: () => memory.close() } })
}

const db = new Kysely({ dialect: await dialectOf(DATABASE_URL) })

// The first run creates the tables of the plugin, and a table of accounts with roles, which is your server's own.
const tables = await db.introspection.getTables()
if (!tables.some(({ name }) => name === 'accounts')) {
  for (const { up } of Object.values(listingMigrations)) await up(db)
  await db
    .insertInto('users')
    .values([
      { user_id: 1, first_name: 'Zoë', last_name: "O'Brien", email: 'zoe@example.org', avatar_url: null },
      { user_id: 2, first_name: 'Pat', last_name: 'Nguyen', email: 'pat@example.org', avatar_url: null }
    ])
    .execute()
  await db.insertInto('memberships').values({ user_id: 1, org_name: 'Acme' }).execute()
  await db.insertInto('links').values({ owner_id: 2, user_id: 1 }).execute()
  await db
    .insertInto('assessments')
    .values({
      assessment_id: 4711,
      licence: 'LIC-2024-0815',
      assessment_type: 'personality',
      user_id: 1,
      practitioner_id: 2,
      status: 'pending',
      date_assignment: '2024-03-01 09:30:00',
      date_conclusion: null,
      created_at: '2024-03-01 09:30:00'
    })
    .execute()
  await db
    .insertInto('payments')
    .values({
      payment_id: 1,
      user_id: 2,
      amount: 49.5,
      quantity: 1,
      payment_intent: 'pi_1',
      paid_at: '2024-02-01 10:00:00',
      payment_method: 'card',
      payment_status: 'paid',
      processor_status: 'succeeded',
      created_at: '2024-02-01 10:00:00'
    })
    .execute()
  await db.schema
    .createTable('accounts')
    .addColumn('user_id', 'integer', (column) => column.primaryKey())
    .addColumn('role', 'varchar(40)', (column) => column.notNull())
    .execute()
  await db
    .insertInto('accounts')
    .values([
      { user_id: 1, role: 'Individual' },
      { user_id: 2, role: 'Practitioner' }
    ])
    .execute()
}

const app = Fastify({ logger: { level: 'warn' } })
app.addHook('onClose', () => db.destroy())
await app.register(jwt, { secret: JWT_SECRET, verify: { algorithms: ['HS256'], requiredClaims: ['exp'] } })
await app.register(listing, {
  db,
  // Who is calling, and in which role. If it is nobody, the answer is a 401.
  resolveRole: ({ user }) =>
    db
      .selectFrom('accounts')
      .where('user_id', '=', Number(user.sub))
      .select(['user_id as userId', 'role'])
      .executeTakeFirst()
})
const address = await app.listen({ host: '127.0.0.1', port: Number(PORT) })

// Pat is linked to Zoë, so the assessments include Zoë's. The payments are Pat's own.
const token = app.jwt.sign({ sub: '2' }, { expiresIn: '1h' })
console.log(`curl -H 'Authorization: Bearer ${token}' '${address}/assessment/list?search=zo'`)
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => app.close())
