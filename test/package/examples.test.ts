import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { type AddressInfo, connect, createServer } from 'node:net'
import t from 'tap'
import { callersOf, startExample } from '../support/hosts/example.mjs'
import { mysqlUrl } from '../support/running/documents.js'
import { until } from '../support/running/until.js'
import { withoutTap } from '../support/running/without-tap.mjs'

/** The fields of an item, in the contract's order: each rule begins with the name of its field. */
const contractFields = (first: number, last: number): string =>
  [...readFileSync('docs/contract.md', 'utf8').matchAll(/^(\d+)\. `(\w+)`/gm)]
    .filter(([, number]) => Number(number) >= first && Number(number) <= last)
    .map(([, , name]) => name)
    .join()

t.test('the demo prints how to use it, answers, and stops on SIGINT', async (t) => {
  const { address, output, stop } = await startExample({})
  const ask = async (path: string, token = '') => {
    const response = await fetch(address + path, { headers: { authorization: `Bearer ${token}` } })
    return { status: response.status, body: (await response.json()) as Record<string, unknown> }
  }
  const callers = await callersOf(address)
  const roles =
    'Individual,Practitioner,Practitioner and Individual,Master Practitioner,Institutional,Admin,Super Admin,ordinary user'
  t.equal(callers.map(({ role }) => role).join(), roles)
  t.strictSame(Object.keys(callers[0] ?? {}), ['name', 'role', 'roles', 'userId', 'token'])
  const admin = callers.find(({ role }) => role === 'Admin')
  t.match(await ask('/assessment/list?search=', admin?.token), { status: 200, body: { total: 5000 } })
  t.match(await ask('/payment/list', admin?.token), { status: 200, body: { total: 3000 } })
  t.match(await ask('/assessment/list?search=', callers.at(-1)?.token), { status: 403 })
  t.match(await ask('/assessment/list?search=', 'x'), { status: 401 })

  for (const [path, key, first, last] of [
    ['/assessment/list?search=&limit=100', 'assessments', 34, 48],
    ['/payment/list?limit=100', 'data', 50, 60]
  ] as const) {
    const items = (await ask(path, admin?.token)).body[key] as object[]
    t.equal(items.length, 100)
    const fields = [...new Set(items.map((item) => Object.keys(item).join()))]
    t.strictSame(fields, [contractFields(first, last)], `${path} has the fields of the contract and no other`)
  }

  const curl = /curl -H '(?<header>[^']+)' '(?<url>[^']+)'/.exec(output())?.groups
  const [, authorization = ''] = curl?.header?.split(': ') ?? []
  t.equal((await fetch(String(curl?.url), { headers: { authorization } })).status, 200, 'the printed curl line works')

  t.match(output(), /Filling the database: +100 %/)
  const { hostname, port } = new URL(address)
  const silent = connect(Number(port), hostname).on('error', () => {})
  await once(silent, 'connect')
  t.equal(await stop('SIGINT'), 0, 'a connection of a browser that has sent nothing does not delay the end')
})

t.test('the demo fills a database of MySQL once, and leaves any other data alone', async (t) => {
  const { url, db } = await mysqlUrl(t)
  const first = await startExample({ DATABASE_URL: url })
  t.match(first.output(), /Filling the database: +100 %/)
  const admin = (await callersOf(first.address)).find(({ role }) => role === 'Admin')
  const headers = { authorization: `Bearer ${admin?.token}` }
  const answer = await fetch(`${first.address}/payment/list`, { headers })
  t.match(await answer.json(), { status: 'success', total: 3000, data: { length: 12 } })
  t.equal(await first.stop(), 0)

  const again = await startExample({ DATABASE_URL: url })
  t.notMatch(again.output(), /Filling the database/, 'an earlier database of the demo is used again')
  t.equal(await again.stop('SIGTERM'), 0, 'it stops on SIGTERM too')
  t.equal((await db.selectFrom('payments').select('payment_id').execute()).length, 3000)
  await t.rejects(startExample({ DATABASE_URL: url }, ['--rows', '1000']), {
    message: /has 9200 records of the demo: leave --rows out, or give an empty database\. Nothing was changed\.\n$/
  })
  await db.schema.dropTable('listing_demo_5').execute()
  await t.rejects(startExample({ DATABASE_URL: url }), {
    message:
      /\nThe database of DATABASE_URL has the table '\w+' and no data of the demo: give an empty database\. Nothing was changed\.\n$/
  })
})

t.test('the demo says in a sentence why it cannot start, and ends', async (t) => {
  await t.rejects(startExample({ DATABASE_URL: 'mysql://root@127.0.0.1:1/none' }), { message: /ECONNREFUSED/ })
  const other = createServer()
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve))
  t.teardown(() => other.close())
  const { port } = other.address() as AddressInfo
  const cases = [
    [{ PORT: String(port) }, [], /, the demo\nPort \d+ cannot be had: choose another one with PORT=…\n$/],
    [{ PORT: 'abc' }, [], /^The demo ended with 1: PORT is 'abc'; give a number from 0 .*\n$/],
    [{ PORT: '65536' }, [], /^The demo ended with 1: PORT is '65536'/],
    [{ DATABASE_URL: 'http://127.0.0.1' }, [], /^The demo ended with 1: DATABASE_URL must begin with mysql:.*\n$/],
    [{}, ['--rows', 'many'], /^The demo ended with 1: The one argument is --rows with a number from 100 /],
    [{}, ['--row', '1000'], /^The demo ended with 1: The one argument is --rows/]
  ] as const
  await Promise.all(cases.map(([settings, args, message]) => t.rejects(startExample(settings, [...args]), { message })))
})

t.test('the demo says its name and address first, and has as many records as somebody wants', async (t) => {
  const { output, address, stop } = await startExample({}, ['--rows', '20000'])
  t.match(output(), /^fastify-assessment-payment-listing [\d.]+, the demo\nStarting on a free port …\n/)
  const callers = await callersOf(address)
  const authorization = `Bearer ${callers.find(({ role }) => role === 'Admin')?.token}`
  let total = 0
  for (const path of ['/assessment/list?search=', '/payment/list', '/certificate/list?total=true']) {
    const response = await fetch(address + path, { headers: { authorization } })
    total += ((await response.json()) as { total: number }).total
  }
  t.equal(total, 20_000)
  t.equal(await stop(), 0)
})

t.test('a SIGTERM for npm stops the demo, although the shell between them does not pass it on', async (t) => {
  const npm = spawn(...withoutTap('npm', ['start']), { env: { ...process.env, PORT: '0' }, stdio: 'pipe' })
  let output = ''
  npm.stdout.on('data', (chunk) => {
    output += chunk
  })
  const ended = once(npm, 'close')
  t.ok(await until(() => output.includes('curl'), 60_000), output)
  npm.kill('SIGTERM')
  await ended
  t.match(output, /Stopping/)
  const [, address] = /Listening on (\S+)/.exec(output) ?? []
  await t.rejects(fetch(`${address}/demo/callers`), 'nothing listens any more')
})
