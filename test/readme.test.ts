import { spawn } from 'node:child_process'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Kysely, MysqlDialect } from 'kysely'
import { createPool } from 'mysql2'
import t, { type Test } from 'tap'
import { migrations } from '../src/migrations.js'
import { rules } from '../src/option-rules.js'
import { columnsOf } from '../src/relations.js'
import { execute } from './support/check.js'
import { type Db, mysqlPool } from './support/databases.js'

const readme = readFileSync('README.md', 'utf8')
const section = (title: string) => readme.split(/^## /m).find((text) => text.startsWith(title)) ?? ''
const blocks = (text: string, language: string) =>
  [...text.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)].filter(([, of]) => of === language).map(([, , code]) => code ?? '')

/** A folder inside the package, from where code finds it by its name. */
function folder(t: Test): string {
  const path = join('.tap', `readme-${process.pid}-${t.name.replace(/\W+/g, '-')}`)
  mkdirSync(path, { recursive: true })
  t.teardown(() => rmSync(path, { recursive: true }))
  return path
}

function run(t: Test, args: string[], env: Record<string, string> = {}) {
  const { PATH } = process.env
  const child = spawn(process.execPath, args, { env: { PATH, PORT: '0', ...env } })
  t.teardown(() => child.kill())
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk) => {
      output += chunk
    })
  }
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve))
  return { ended, output: () => output }
}

t.test('the complete example runs as pasted and gives the answer that is shown', async (t) => {
  const text = section('A complete example')
  const path = join(folder(t), 'server.mjs')
  writeFileSync(path, String(blocks(text, 'js')[0]))
  const { ended, output } = run(t, [path])
  const printed = async () => {
    for (let tries = 0; tries < 300; tries++) {
      const line = /^curl -H 'Authorization: (?<authorization>[^']+)' '(?<url>[^']+)'$/m.exec(output())
      if (line?.groups) return line.groups
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
    return undefined
  }
  const line = await Promise.race([printed(), ended])
  if (typeof line !== 'object' || line === null) return t.fail(`it printed no curl line: ${output()}`)
  const response = await fetch(String(line.url), { headers: { authorization: String(line.authorization) } })
  t.strictSame(await response.json(), JSON.parse(String(blocks(text, 'json')[0])))
})

t.test('the script that checks a database runs as pasted and prints what is shown', async (t) => {
  const { host, port, user, password, database, ...pool } = await mysqlPool(t)
  const url = `mysql://${user}:${encodeURIComponent(String(password))}@${host}:${port}/${database}`
  const db: Db = new Kysely({ dialect: new MysqlDialect({ pool: createPool({ ...pool, uri: url }) }) })
  t.teardown(() => db.destroy())
  const text = section('The start-up check')
  const path = join(folder(t), 'check.mjs')
  writeFileSync(path, String(blocks(text, 'js')[0]))
  for (const { up } of Object.values(migrations)) await up(db)
  await execute(db, 'alter table users rename to members')
  const fitting = run(t, [path], { DATABASE_URL: url })
  t.equal(await fitting.ended, 0, fitting.output())
  t.equal(fitting.output(), '\n')

  await execute(
    db,
    'alter table members rename column email to mail',
    'alter table assessments modify date_conclusion bigint',
    'alter table links modify user_id varchar(20)',
    'drop index assessments_created_at_assessment_id on assessments'
  )
  const broken = run(t, [path], { DATABASE_URL: url })
  t.equal(await broken.ended, 1)
  t.equal(`The database does not fit the lists.\n${broken.output()}`, blocks(text, 'text')[0])
})

t.test('the other code compiles', async (t) => {
  const path = folder(t)
  for (const [title, language] of [
    ['Relations', 'ts'],
    ['OpenAPI', 'js']
  ] as const) {
    const code = blocks(section(title), language)
    t.equal(code.length, 1, title)
    writeFileSync(join(path, `${title}.${language}`), String(code[0]))
  }
  const compilerOptions = { noImplicitAny: false, rootDir: '../..' }
  writeFileSync(
    join(path, 'tsconfig.json'),
    JSON.stringify({ extends: '../../tsconfig.json', compilerOptions, include: ['.'] })
  )
  const { ended, output } = run(t, ['node_modules/typescript/bin/tsc', '-p', path])
  t.equal(await ended, 0, output())
})

t.test('the tables of options and relations have exactly those that there are', (t) => {
  const rows = (title: string) => [...section(title).matchAll(/^\| `(\w+)[^|]*\|/gm)].map(([, name]) => name)
  t.strictSame(rows('Options'), Object.keys(rules))
  t.strictSame(rows('Relations'), Object.keys(columnsOf))
  for (const [name, columns] of Object.entries(columnsOf)) {
    const row = new RegExp(`^\\| \`${name}\` \\|([^|]*)\\|$`, 'm').exec(section('Relations'))?.[1] ?? ''
    t.strictSame(
      [...row.matchAll(/`(\w+)`/g)].map(([, column]) => column),
      columns
    )
  }
  t.end()
})
