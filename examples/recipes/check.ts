import { checkDatabase, formatFindings } from 'fastify-assessment-payment-listing'
import { Kysely, MysqlDialect } from 'kysely'
import { createPool } from 'mysql2'

const db = new Kysely({ dialect: new MysqlDialect({ pool: createPool(String(process.env.DATABASE_URL)) }) })
const findings = await checkDatabase({ db, tables: { users: 'members' } })
console.log(formatFindings(findings))
process.exitCode = findings.some(({ level }) => level === 'error') ? 1 : 0
await db.destroy()
