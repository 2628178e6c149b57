/** The README and the pages of docs/ for tests: their code blocks, and functions that run or compile a block. */
import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Kysely, MysqlDialect } from 'kysely'
import type { Test } from 'tap'
import typescript from 'typescript'
import { type Db, mysqlPool } from './databases.js'
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
  const { createPool } = await import('mysql2')
  const db: Db = new Kysely({ dialect: new MysqlDialect({ pool: createPool({ ...pool, uri: url }) }) })
  t.teardown(() => db.destroy())
  return { url, db }
}

const { options } = typescript.parseJsonConfigFileContent(
  { ...typescript.readConfigFile('tsconfig.json', typescript.sys.readFile).config, include: [] },
  typescript.sys,
  '.',
  // Code resolves to the built package, as it does for a user.
  { paths: {} }
)
const host = typescript.createCompilerHost(options)
const { getSourceFile } = host
const parsed = new Map<string, typescript.SourceFile | undefined>()
// Declarations of packages are parsed once, because parsing them takes the most time.
host.getSourceFile = (path, ...settings) => {
  const source = parsed.get(path) ?? getSourceFile(path, ...settings)
  if (!path.includes('documents-')) parsed.set(path, source)
  return source
}

/** The messages of TypeScript 7 about a project. TypeScript 7 has no API for this. */
export function typescript7(path: string): string {
  const compiler = [process.execPath, 'node_modules/typescript-7/bin/tsc', '-p', path, '--noEmit']
  // A child process inherits tap's module hooks, which break the compiler.
  const { status, stdout, stderr } = spawnSync('env', ['-u', 'NODE_OPTIONS', ...compiler], { encoding: 'utf8' })
  return status === 0 ? '' : `${stdout}${stderr}`
}

/** Type-checks files in one folder like a host, with TypeScript 5.9 and 7. */
export function compiles(t: Test, files: Record<string, string>): void {
  const paths = Object.entries(files).map(([name, text]) => write(t, name, text))
  const program = typescript.createProgram({ rootNames: paths, options, host })
  t.equal(typescript.formatDiagnostics(typescript.getPreEmitDiagnostics(program), host), '')
  const config = {
    extends: '../../tsconfig.json',
    compilerOptions: { paths: {} },
    include: [],
    files: Object.keys(files)
  }
  t.equal(typescript7(write(t, 'tsconfig.json', JSON.stringify(config))), '', 'TypeScript 7')
  for (const path of paths) rmSync(path)
}

export const transpiled = (code: string): string =>
  typescript.transpileModule(code, { compilerOptions: { module: typescript.ModuleKind.ESNext } }).outputText

/** Asserts that commands only install this package and its dependencies, or run their scripts. */
export function hasCommands(t: Test, code: string): void {
  execFileSync('bash', ['-n'], { input: code })
  const { name, scripts, peerDependencies, devDependencies } = JSON.parse(readFileSync('package.json', 'utf8'))
  const packages = [name, ...Object.keys({ ...peerDependencies, ...devDependencies })]
  for (const command of code
    .replace(/ *#.*$/gm, '')
    .trim()
    .split(/\n|&&/)) {
    const [program, verb = '', ...rest] = command.trim().split(/ +/)
    if (program === 'npx') t.ok(existsSync(join('node_modules/.bin', verb)), command)
    else if (verb === 'install')
      t.strictSame(
        rest.filter((name) => !packages.includes(name)),
        [],
        command
      )
    else t.ok(program === 'npm' && (verb === 'run' ? String(rest[0]) : verb) in scripts, command)
  }
}
