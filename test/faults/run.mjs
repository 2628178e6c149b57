/**
 * Plants small faults in `src`, one at a time, and runs the tests that must notice the fault: `npm run test:faults`, or
 * for some files only, `npm run test:faults -- question/sql conformance`. Each worker has its own copy of the checkout.
 */
import { spawn } from 'node:child_process'
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { basename, join, resolve } from 'node:path'
import { command, withDatabases } from '../support/running/steps.mjs'
import { faults } from './faults.mjs'

/** Milliseconds. A test that hangs has noticed the fault. */
const timeout = 100_000

const wanted = process.argv.slice(2)
const planted = Object.entries(faults)
  .filter(([file]) => wanted.length === 0 || wanted.some((start) => file.startsWith(start)))
  .flatMap(([file, all]) =>
    all.map(([text, fault, test = file.replace('.ts', '.test.ts')]) => ({ file, text, fault, test }))
  )

/**
 * The copies of the checkout, and the test that runs in each. An end of this process ends them too.
 *
 * @type {Map<string, import('node:child_process').ChildProcess | undefined>}
 */
const copies = new Map()
process.once('exit', () => {
  for (const [folder, child] of copies) {
    child?.kill('SIGKILL')
    rmSync(folder, { recursive: true, force: true })
  }
})

await command(async () => {
  if (planted.length === 0) {
    throw new Error(`There is no file ${wanted.join(' or ')}; name one of: ${Object.keys(faults).join(', ')}.`)
  }
  const env = { ...(await withDatabases()), TAP_BAIL: '1', TAP_TIMEOUT: String(timeout / 1000) }
  const tests = [...new Set(planted.map(({ test }) => test))]
  const jobs = [
    ...tests.map((test) => ({ test, title: `${test} without a fault`, passes: true })),
    ...planted.map((fault) => ({ ...fault, title: `${fault.file}: ${fault.text} → ${fault.fault}`, passes: false }))
  ]
  /** @type {string[]} */
  const wrong = []
  let done = 0
  const work = async () => {
    const folder = copyOfCheckout()
    for (let job = jobs.shift(); job; job = jobs.shift()) {
      const problem = await outcome(folder, job, env)
      console.log(`${++done}: ${problem ?? 'ok'}  ${job.title}`)
      if (problem) wrong.push(`${problem}: ${job.title} (${job.test})`)
    }
  }
  await Promise.all(Array.from({ length: availableParallelism() }, work))
  console.log(`${planted.length} faults planted, ${wrong.length} problems`)
  if (wrong.length > 0) throw new Error(wrong.join('\n'))
})

function copyOfCheckout() {
  const folder = mkdtempSync(join(tmpdir(), 'listing-faults-'))
  copies.set(folder, undefined)
  const leftOut = ['node_modules', 'dist', '.git', '.tap', 'bench']
  cpSync('.', folder, { recursive: true, filter: (path) => !leftOut.includes(basename(path)) })
  symlinkSync(resolve('node_modules'), join(folder, 'node_modules'))
  return folder
}

/**
 * @param {string} folder
 * @param {{ test: string, passes: boolean, file?: string, text?: string, fault?: string }} job
 * @param {NodeJS.ProcessEnv} env
 * @returns {Promise<string | undefined>} the problem
 */
async function outcome(folder, { test, passes, file, text = '', fault = '' }, env) {
  if (!existsSync(join(folder, 'test', test))) return 'the test is missing'
  if (!file) return (await isGreen(folder, test, env)) === passes ? undefined : 'fails without a fault'
  const path = join(folder, 'src', file)
  const code = readFileSync(path, 'utf8')
  const pieces = code.split(text)
  if (pieces.length !== 2) return `the text stands ${pieces.length - 1} times in the file`
  writeFileSync(path, pieces.join(fault))
  try {
    return (await isGreen(folder, test, env)) === passes ? undefined : 'not noticed'
  } finally {
    writeFileSync(path, code)
  }
}

/**
 * @param {string} cwd
 * @param {string} test
 * @param {NodeJS.ProcessEnv} env
 */
async function isGreen(cwd, test, env) {
  const child = spawn(process.execPath, ['--import=./test/support/running/typescript.mjs', `test/${test}`], {
    cwd,
    env,
    stdio: 'ignore',
    timeout,
    killSignal: 'SIGKILL'
  })
  copies.set(cwd, child)
  return (await new Promise((resolve) => child.once('exit', resolve))) === 0
}
