/** Every code block of the README and of docs/ shows a recipe, compiles as a user compiles it, or is run. */
import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { createVerifier } from 'fast-jwt'
import { sql } from 'kysely'
import t, { type Test } from 'tap'
import { createTables } from '../support/fixtures/world.js'
import { callersOf, startExample } from '../support/hosts/example.mjs'
import { execute } from '../support/oracle/check.js'
import {
  blocks,
  compiles,
  documents,
  firstList,
  hasCommands,
  mysqlUrl,
  readme,
  run,
  transpiled,
  typescript7,
  write
} from '../support/running/documents.js'
import { withoutTap } from '../support/running/without-tap.mjs'
import { openDatabase } from '../support/servers/databases.js'

const recipes = [...blocks].filter(([, { file }]) => file)

t.test('a block below the name of a file is the file', async (t) => {
  for (const [name, { code, file = '' }] of recipes) {
    t.equal(code, readFileSync(file, 'utf8'), `${name} is ${file}; run npm run docs`)
  }
})

t.test('the files that blocks show compile with TypeScript 7, as they do with TypeScript 5.9', async (t) => {
  t.equal(typescript7('examples'), '')
  // `npm install` into an older node_modules links the newest compiler that it adds. `npm ci` makes it right.
  t.equal(readlinkSync('node_modules/.bin/tsc'), '../typescript/bin/tsc', 'run npm ci')
})

interface Check {
  blocks: string[]
  says: string
  check(t: Test, code: string, further: string): unknown
}

/** These blocks are compiled in one program. */
const compiled = [
  'README.md, fastify-assessment-payment-listing: ts',
  'docs/frontend.md, React and Vue: ts',
  'docs/frontend.md, Infinite scroll: ts',
  'docs/paging.md, How paging behaves: ts'
]

t.test('the blocks without a file compile', async (t) => {
  const server = `
    import type { FastifyInstance } from 'fastify'
    import type { KyselyInstance, ResolveRole } from 'fastify-assessment-payment-listing'
    declare const app: FastifyInstance
    declare const db: KyselyInstance
    declare const resolveRole: ResolveRole
`
  const codeOf = (name: string) =>
    `${name.startsWith('README') ? server : ''}${blocks.get(name)?.code.replace("'./tanstack", "'../../examples/recipes/tanstack") ?? ''}`
  compiles(t, Object.fromEntries(compiled.map((name, place) => [`block${place}.ts`, codeOf(name)])))
})

const checks: Check[] = [
  {
    blocks: ['README.md, Try the demo: sh', 'README.md, Install: sh'],
    says: 'have commands that exist',
    check: (t, first, second) => hasCommands(t, `${first}${second}`)
  },
  {
    blocks: ['README.md, A complete server: sh'],
    says: 'makes a token that the server takes',
    check(t, code) {
      const [start = '', token = '', curl] = code.split(/^# In .*\n|(?=^curl )/m)
      t.match(start, /^export DATABASE_URL=\S+ JWT_SECRET=\S+\nnode server\.ts +# .* npx tsx server\.ts\n\n$/)
      t.equal(curl, `curl -H "Authorization: Bearer $TOKEN" 'http://127.0.0.1:3000/payment/list'\n`)
      const { PATH } = process.env
      const JWT_SECRET = 'a-long-random-text'
      const made = spawnSync(...withoutTap('bash', ['-c', `${token}echo "$TOKEN"`]), {
        env: { PATH, JWT_SECRET },
        encoding: 'utf8'
      })
      // test/examples/recipes.test.ts calls the server with such a token.
      const verify = createVerifier({ key: JWT_SECRET, algorithms: ['HS256'], requiredClaims: ['exp'] })
      t.match(verify(made.stdout.trim()), { sub: '1' }, made.stderr)
    }
  },
  {
    blocks: ['README.md, fastify-assessment-payment-listing: json'],
    says: 'is what the first list answers',
    check: async (t, answer) => t.strictSame((await firstList(t)).answer, JSON.parse(answer))
  },
  {
    blocks: ['docs/tables.md, A creation date that is computed, null or zero: sql'],
    says: 'gives every record a creation date with an index',
    check: async (t, code) => {
      const db = await openDatabase(t, 'mysql')
      const rows = await db.connection().execute(async (connection) => {
        const dates = ["'0000-00-00'", "'2024-00-00'", "'2024-03-00'", 'null', "'2024-03-01 09:30:00'"]
        await execute(
          connection,
          "set session sql_mode = ''",
          'create table orders (id int auto_increment primary key, member_id int, created datetime)',
          `insert into orders (created) values ${dates.map((date) => `(${date})`).join()}`,
          'set session sql_mode = default',
          ...code.split(/;.*\n/).filter((statement) => statement.trim()),
          'set session sql_mode = default'
        )
        const shown = sql<{ date: string }>`select cast(created_at as char) as date from orders order by id`
        return (await shown.execute(connection)).rows.map(({ date }) => date)
      })
      t.strictSame(rows, [...Array(4).fill('1970-01-01 00:00:00'), '2024-03-01 09:30:00'])
    }
  },
  {
    blocks: ['docs/scaling.md, Searches: sql'],
    says: 'creates the index on the default tables',
    check: async (t, code) => {
      const db = await openDatabase(t, 'postgres')
      await createTables(db)
      await execute(db, ...code.split(';').filter((statement) => statement.trim()))
    }
  },
  {
    blocks: ['docs/start-up-check.md, Start-up check: text'],
    says: 'is what the recipe prints',
    async check(t, text) {
      const { url, db } = await mysqlUrl(t)
      const path = write(t, 'check.mjs', transpiled(readFileSync('examples/recipes/check.ts', 'utf8')))
      await createTables(db)
      await execute(db, 'alter table users rename to members')
      const fitting = run(t, [path], { DATABASE_URL: url })
      t.equal(await fitting.ended, 0, fitting.output())
      t.equal(fitting.output(), 'The database fits the lists.\n')

      await execute(
        db,
        'alter table members rename column email to mail',
        'alter table assessments modify date_conclusion bigint',
        'drop index assessments_created_at_assessment_id on assessments'
      )
      const broken = run(t, [path], { DATABASE_URL: url })
      t.equal(await broken.ended, 1)
      t.equal(`The database does not fit the lists.\n${broken.output()}`, text)
    }
  },
  {
    blocks: [
      'docs/first-list.md, From an empty folder to an answer: sh',
      'docs/first-list.md, On a database server: sh'
    ],
    says: 'install and copy what there is',
    // test/examples/recipes.test.ts runs the file on each database.
    check(t, first, second) {
      const code = `${first}${second}`
      execFileSync('bash', ['-n'], { input: code })
      hasCommands(t, String(code.match(/^npm install .*$/gm)?.join('\n')))
      const [, file = ''] = /^cp node_modules\/fastify-assessment-payment-listing\/(\S+) server\.mjs$/m.exec(code) ?? []
      t.ok(existsSync(file), file)
    }
  },
  {
    blocks: ['docs/tables.md, Default tables: sh'],
    says: 'copies a recipe of the package',
    // test/examples/recipes.test.ts runs it for each database.
    check: (t, code) =>
      t.ok(existsSync(/^cp node_modules\/fastify-assessment-payment-listing\/(\S+) \.$/m.exec(code)?.[1] ?? ''))
  },
  {
    blocks: ['docs/testing.md, Checks for your own tests: text'],
    says: 'is a failure of the conformance checks',
    // test/conformance/reach-checks.test.ts has the sentence.
    check: (t, text) =>
      t.match(
        text,
        /^GET \/payment\/list\?\S+ as Zoë: record \d+ is of user 3, but the reach of Zoë \(user 1\) is 'own'\.\n$/
      )
  },
  {
    blocks: ['docs/clients.md, A typed client: sh', 'docs/clients.md, A typed client: ts'],
    says: 'makes a client that compiles, calls a list of the demo, and knows what the lists do not have',
    async check(t, commands, code) {
      hasCommands(t, commands)
      const { address, stop } = await startExample({})
      t.teardown(() => stop())
      const callers = await callersOf(address)
      const [, command = ''] = /^npx (.*)$/m.exec(commands) ?? []
      const [program, ...parameters] = command.replace('http://127.0.0.1:3000', address).split(' ')
      const output = write(t, String(parameters.pop()), '')
      const generated = run(t, [join('node_modules/.bin', String(program)), ...parameters, output])
      t.equal(await generated.ended, 0, generated.output())
      const misuse = [
        "await client.GET('/assessment/lists')",
        "await client.GET('/assessment/list')",
        "await client.GET('/payment/list', { params: { query: { staus: 'paid' } } })",
        'pending.data.assessments[0]?.last_names'
      ].map((line) => `// @ts-expect-error\n${line}\n`)
      compiles(t, {
        'lists.ts': readFileSync(output, 'utf8'),
        'client.ts': code,
        'misuse.ts': [code, ...misuse].join('\n')
      })
      const TOKEN = String(callers.find(({ role }) => role === 'Admin')?.token)
      const client = run(t, [write(t, 'client.mjs', transpiled(code))], { API: address, TOKEN })
      t.equal(await client.ended, 0, client.output())
      t.match(client.output(), /^\S+.*\n[\s\S]*^\d+ pending assessments\n$/m)
    }
  }
]

for (const { blocks: names, says, check } of checks) {
  const [code = '', further = ''] = names.map((name) => blocks.get(name)?.code)
  t.test(`${names.join(' and ')}: ${says}`, async (t) => check(t, code, further))
}

t.test('there is no other code block', async (t) => {
  // ./who-sees-what.test.ts runs each block of its page.
  const isElsewhere = (name: string) => name.startsWith('docs/who-sees-what.md, ')
  const rest = [...blocks].flatMap(([name, { file }]) => (file || isElsewhere(name) ? [] : [name]))
  t.strictSame(rest.toSorted(), [...compiled, ...checks.flatMap(({ blocks }) => blocks)].toSorted())
  const fences = [...documents.values()].flatMap((text) => text.match(/^ *(```|~~~)/gm) ?? [])
  t.equal(fences.length, blocks.size * 2)
})

t.test('every recipe is shown or linked', async (t) => {
  const links = [...documents].flatMap(([path, text]) =>
    [...text.matchAll(/\]\(([^)#]+)\)/g)].map(([, target = '']) => join(dirname(path), target))
  )
  const shown = new Set([...recipes.map(([, { file }]) => file), ...links])
  const hidden = readdirSync('examples/recipes').filter((name) => !shown.has(`examples/recipes/${name}`))
  t.strictSame(hidden, ['build-server.ts'], 'the server of the tests stands for the server of a team')
})

t.test('every link leads to a file and to a heading', async (t) => {
  const anchorOf = (title = '') =>
    title
      .replace(/[^\w\- ]/g, '')
      .replaceAll(' ', '-')
      .toLowerCase()
  const anchorsOf = (text: string) => [...text.matchAll(/^#+ (.*)$/gm)].map(([, title]) => anchorOf(title))
  for (const [path, text] of documents) {
    for (const [, target = ''] of text.matchAll(/\]\(([^)]+)\)/g)) {
      if (/^https?:/.test(target)) continue
      const [file = '', anchor] = target.split('#')
      const linked = file ? join(dirname(path), file) : path
      t.ok(existsSync(linked), `${path}: ${target}`)
      if (anchor) t.ok(anchorsOf(readFileSync(linked, 'utf8')).includes(anchor), `${path}: ${target}`)
    }
  }
})

t.test('the README has at most 1,300 words, the contract 3,000, and other pages 14,300 with their code', async (t) => {
  // A bar of a table is no word, except in the README.
  const wordsOf = (text: string) => text.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word)).length
  const contract = documents.get('docs/contract.md') ?? ''
  const pages = [...documents.values()].filter((text) => text !== readme && text !== contract)
  const wordsOfReadme = readme.trim().split(/\s+/).length
  t.ok(wordsOfReadme <= 1_300, `${wordsOfReadme} words in the README`)
  t.ok(wordsOf(contract) <= 3_000, `${wordsOf(contract)} words in the contract`)
  t.ok(wordsOf(pages.join('\n')) <= 14_300, `${wordsOf(pages.join('\n'))} words in the other pages`)
})

t.test('the first server has at most 30 lines', async (t) => {
  t.ok(readFileSync('examples/recipes/server.ts', 'utf8').split('\n').length <= 31)
})

t.test('the README has the counts of the last runs', async (t) => {
  const sumOf = (file: string, row: RegExp) =>
    [...readFileSync(file, 'utf8').matchAll(row)].reduce(
      (sum, [, count = '']) => sum + Number(count.replace(',', '')),
      0
    )
  const requests = sumOf('test/RELIABILITY.md', /^\| requests against the oracle on .*?\| ([\d,]+) \| 0 /gm)
  const identical = sumOf('test/ENGINES.md', /^\| .*? \| passes \| \d+ \| (\d+) \|/gm)
  for (const count of [requests, identical]) t.match(readme, ` ${count.toLocaleString('en')} `)
})
