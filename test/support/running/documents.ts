/** The README and the pages of docs/ for tests: their code blocks, and functions that run or compile a block. */
import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Test } from 'tap'
import typescript from 'typescript'
import { mysqlPool } from '../servers/databases.js'
import { openMysql } from '../servers/pools.js'
import { until } from './until.js'
import { withoutTap } from './without-tap.mjs'

export const readme = readFileSync('README.md', 'utf8')

/** README.md and each page of docs/, by its path. */
export const documents = new Map(
  ['README.md', ...readdirSync('docs').map((name) => `docs/${name}`)]
    .filter((path) => path.endsWith('.md'))
    .map((path) => [path, readFileSync(path, 'utf8')])
)

/** The text below a heading of level 2. */
export const sectionOf = (path: string, title: string): string =>
  documents
    .get(path)
    ?.split(/^## /m)
    .find((text) => text.startsWith(`${title}\n`)) ?? ''

export interface Block {
  code: string
  /** The file that the block is a copy of. */
  file: string | undefined
}

/** The code blocks by page, section and language: `docs/tables.md, Selects: ts`. */
export const blocks = new Map<string, Block>()

for (const [path, text] of documents) {
  for (const section of text.split(/^## /m)) {
    const title = section.slice(0, section.indexOf('\n')).replace(/^# /, '')
    for (const [, file, language, code = ''] of section.matchAll(
      /(?:^<!-- (examples\/\S+) -->\n)?^```(.*)\n([\s\S]*?)^```$/gm
    )) {
      blocks.set(`${path}, ${title}: ${language}`, { code, file })
    }
  }
}

/** A folder of the test inside the package, so that code there can import the package by its name. */
function folderOf(t: Test): string {
  const path = join('.tap', `documents-${process.pid}-${t.name.replace(/\W+/g, '-')}`)
  if (!existsSync(path)) {
    mkdirSync(path, { recursive: true })
    t.teardown(() => rmSync(path, { recursive: true }))
  }
  return path
}

/** Writes a file into the test's folder, and returns its path. */
export function write(t: Test, name: string, text: string): string {
  const path = join(folderOf(t), name)
  writeFileSync(path, text)
  return path
}

/** Runs Node.js without the environment and the hooks of the tests. */
export function run(t: Test, args: string[], env: Record<string, string> = {}) {
  const { PATH } = process.env
  const child = spawn(...withoutTap(process.execPath, args), { env: { PATH, PORT: '0', ...env } })
  t.teardown(() => child.kill())
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk) => {
      output += chunk
    })
  }
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve))
  return { ended, output: () => output, stop: () => child.kill('SIGTERM') }
}

/** Runs the first list, and asks what its curl line asks. */
export async function firstList(t: Test, env: Record<string, string> = {}) {
  const code = readFileSync('examples/recipes/first-list.mjs', 'utf8')
  const server = run(t, [write(t, 'server.mjs', code)], env)
  const printed = () => /^curl -H 'Authorization: (.+)' '(.+)'$/m.exec(server.output())
  t.ok(await until(printed, 60_000), server.output())
  const [, authorization = '', url = ''] = printed() ?? []
  const response = await fetch(url, { headers: { authorization } })
  return { ...server, answer: await response.json() }
}

/** A new database on MySQL, as a program gets it by an environment variable. */
export async function mysqlUrl(t: Test) {
  const { host, port, user, password, database, ...pool } = await mysqlPool(t)
  const url = `mysql://${user}:${encodeURIComponent(String(password))}@${host}:${port}/${database}`
  return { url, db: openMysql(t, { ...pool, uri: url }) }
}

/** What a compiler says of a project, in a process of its own, because TypeScript 7 has no API for this. */
function messagesOf(compiler: 'typescript' | 'typescript-7', path: string): string {
  const command = [join('node_modules', compiler, 'bin/tsc'), '-p', path, '--noEmit']
  const { status, stdout, stderr } = spawnSync(...withoutTap(process.execPath, command), { encoding: 'utf8' })
  return status === 0 ? '' : `${stdout}${stderr}`
}

export const typescript7 = (path: string): string => messagesOf('typescript-7', path)

/** Type-checks files in one folder like a host, with TypeScript 5.9 and 7. */
export function compiles(t: Test, files: Record<string, string>): void {
  const paths = Object.entries(files).map(([name, text]) => write(t, name, text))
  // Code resolves to the built package, as it does for a user.
  const config = {
    extends: '../../tsconfig.json',
    compilerOptions: { paths: {} },
    include: [],
    files: Object.keys(files)
  }
  const project = write(t, 'tsconfig.json', JSON.stringify(config))
  for (const compiler of ['typescript', 'typescript-7'] as const) t.equal(messagesOf(compiler, project), '', compiler)
  for (const path of paths) rmSync(path)
}

export const transpiled = (code: string): string =>
  typescript.transpileModule(code, { compilerOptions: { module: typescript.ModuleKind.ESNext } }).outputText

/** Asserts that commands only install this package and its dependencies, or run their scripts. */
export function hasCommands(t: Test, code: string): void {
  execFileSync('bash', ['-n'], { input: code })
  const { name, scripts, peerDependencies, devDependencies } = JSON.parse(readFileSync('package.json', 'utf8'))
  const packages = [name, ...Object.keys({ ...peerDependencies, ...devDependencies })]
  const commands = code.replace(/ *#.*$/gm, '').trim()
  for (const command of commands.split(/\n|&&/)) {
    const [program, verb = '', ...rest] = command.trim().split(/ +/)
    if (program === 'npx') t.ok(existsSync(join('node_modules/.bin', verb)), command)
    else if (verb === 'install')
      t.ok(
        rest.every((name) => packages.includes(name)),
        command
      )
    else t.ok(program === 'npm' && (verb === 'run' ? String(rest[0]) : verb) in scripts, command)
  }
}
