/** The test command on a machine that lacks a server: its PATH has neither a MariaDB nor apt. */
import { execFileSync } from 'node:child_process'
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { failure } from '../matrix/report.mjs'
import { cloneTo, root, run } from '../matrix/tarball.js'
import { temporaryFolder } from '../support/running/folders.js'

const folder = temporaryFolder(t, 'run')
await cloneTo(folder)
symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))

const PATH = join(folder, 'programs')
mkdirSync(PATH)
for (const program of ['sh', 'node', 'npm', 'npx', 'env', 'which', 'chown', 'setpriv']) {
  const [path] = execFileSync('sh', ['-c', `command -v ${program} || true`], { encoding: 'utf8' }).split('\n')
  if (path) symlinkSync(path, join(PATH, program))
}

/** Runs the command with a few tests, and without what the command around this test has set. */
function runTests(variables: NodeJS.ProcessEnv = {}, file = 'test/database/migrations.test.ts'): Promise<string> {
  const own = Object.keys(process.env).filter((name) => /^(TAP|TEST_)/.test(name))
  const env = { ...Object.fromEntries(own.map((name) => [name, undefined])), PATH, ...variables }
  return run('npm', ['test', '--', file], { cwd: folder, env })
}

const advice = /^The tests need a MariaDB or MySQL: install mariadb-server .*, or set TEST_MYSQL_URL=/m

t.test('what can run passes, and the last lines say what did not run and how to run it', async (t) => {
  const [tests = '', last = ''] = (await runTests()).split(/^# Test: .*\n/m)
  for (const name of ['sqlite', 'postgres']) t.match(tests, new RegExp(`^ +ok .* on ${name} `, 'm'))
  t.notMatch(tests, / on mysql /)
  t.match(tests, /\n[1-9]\d* passed, 0 failed\n$/)
  t.match(last, /^\nThe tests on MySQL or MariaDB did not run, and the coverage of src was not asked for\.\n/)
  t.match(last, advice)
})

t.test('a server that TEST_DATABASE names must be there', async (t) => {
  const reason = await failure(() => runTests({ TEST_DATABASE: 'sqlite,mysql,postgres' }))
  t.match(reason, advice)
  t.notMatch(reason, / passed, /)
})

t.test('a name in TEST_DATABASE that is no database', async (t) => {
  t.match(await failure(() => runTests({ TEST_DATABASE: 'mariadb' })), "TEST_DATABASE names 'mariadb'")
})

t.test('a failed run ends with the command that makes its random choices again', async (t) => {
  const code = "import t from 'tap'\nimport { seed } from './support/oracle/random.js'\n\nt.fail(String(seed))\n"
  writeFileSync(join(folder, 'test/failing.test.ts'), code)
  const reason = (await failure(() => runTests({ TEST_DATABASE: 'sqlite' }, 'test/failing.test.ts'))) ?? ''
  const [, seed] = /not ok 1 - (\d+)$/m.exec(reason) ?? []
  t.ok(seed)
  t.match(reason, `TEST_SEED=${seed} TEST_DATABASE=sqlite npm test -- 'test/failing.test.ts'\n`)
})
