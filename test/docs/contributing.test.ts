/**
 * The picture for contributors has every module of src, their imports go down in it, each file of src has its test, and the
 * workflows run what exists.
 */
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import t from 'tap'
import typescript from 'typescript'

const [, picture = ''] = /```mermaid\n([\s\S]*?)```/.exec(readFileSync('.github/CONTRIBUTING.md', 'utf8')) ?? []

/** The boxes, each with its files and folders. */
const boxes = new Map(
  [...picture.matchAll(/^ {2}(\w+)\["(.*?)<br>/gm)].map(([, box = '', names = '']) => [box, names.split(', ')])
)
const boxOf = (file: string): string | undefined => {
  const has = (name: string) => name === file || (name.endsWith('/') && file.startsWith(name))
  return [...boxes].find(([, names]) => names.some(has))?.[0]
}

/** The boxes that arrows lead to from a box. */
const arrows = new Map<string, string[]>()
for (const [, from = '', to = ''] of picture.matchAll(/^ {2}([\w& ]+) --> ([\w& ]+)$/gm)) {
  for (const box of from.split(' & ')) arrows.set(box, [...(arrows.get(box) ?? []), ...to.split(' & ')])
}

const leadsTo = (from: string, to: string): boolean =>
  (arrows.get(from) ?? []).some((box) => box === to || leadsTo(box, to))

const filesOf = (folder: string) => readdirSync(folder, { recursive: true, encoding: 'utf8' })
const files = filesOf('src').filter((name) => name.endsWith('.ts'))

/** The files of src that a file imports, types included. */
const importsOf = (file: string): string[] =>
  typescript
    .preProcessFile(readFileSync(join('src', file), 'utf8'))
    .importedFiles.filter(({ fileName }) => fileName.startsWith('.'))
    .map(({ fileName }) => join(dirname(file), fileName).replace(/\.js$/, '.ts'))

t.test('the workflows run what exists, actions by their commit, and the oldest Node of the package', async (t) => {
  const { scripts, engines } = JSON.parse(readFileSync('package.json', 'utf8'))
  const texts = readdirSync('.github/workflows').map((name) => readFileSync(`.github/workflows/${name}`, 'utf8'))
  const commands = texts.flatMap((text) => [...text.matchAll(/^ +- run: (.*)$/gm)].map(([, command = '']) => command))
  t.ok(commands.includes('.ci/run'))
  for (const command of commands) {
    const [program = '', verb = '', script = verb] = command.replace('npm run', 'npm').split(' ')
    if (program === 'npm' && !['ci', 'publish'].includes(verb)) t.ok(script in scripts, command)
    else if (program.includes('/')) t.ok(statSync(program).mode & 0o111, command)
    else t.ok(['apt-get', 'gh', 'git', 'node', 'npm', 'printf'].includes(program), command)
  }
  const [, oldest] = /node: \[(\d+),/.exec(texts.join()) ?? []
  t.match(engines.node, `>=${oldest}.`)
  const actions = texts.join('').match(/^ +- uses: .*$/gm) ?? []
  for (const action of actions) t.match(action, /@[\da-f]{40} # v\d+\.\d+\.\d+$/, 'a commit, with its version')
})

t.test('every file is in one box, every box is one of files, and every import follows the arrows down', async (t) => {
  // Boxes are written from top to bottom.
  const order = [...boxes.keys()]
  t.strictSame([...new Set(files.map((file) => String(boxOf(file))))].toSorted(), order.toSorted())
  for (const [from, targets] of arrows) {
    for (const to of targets) t.ok(order.indexOf(from) < order.indexOf(to), `${from} --> ${to}`)
  }
  for (const file of files) {
    for (const imported of importsOf(file)) {
      const [from, to] = [String(boxOf(file)), String(boxOf(imported))]
      t.ok(from === to || leadsTo(from, to), `${file} imports ${imported}`)
    }
  }
})

t.test('no files import each other in a circle, types included', async (t) => {
  const done = new Set<string>()
  const circles: string[] = []
  const follow = (file: string, path: string[]): void => {
    if (path.includes(file)) circles.push([...path.slice(path.indexOf(file)), file].join(' -> '))
    else if (!done.has(file)) for (const other of importsOf(file)) follow(other, [...path, file])
    done.add(file)
  }
  for (const file of files) follow(file, [])
  t.strictSame(circles, [])
})

/** A file without a function has only types, constants and exports of other files. */
function hasCode(file: string): boolean {
  const hasBody = (node: typescript.Node): boolean => 'body' in node || Boolean(typescript.forEachChild(node, hasBody))
  const text = readFileSync(join('src', file), 'utf8')
  return hasBody(typescript.createSourceFile(file, text, typescript.ScriptTarget.Latest))
}

/** The tests in a folder of `src` that are about no file of their name: the suites of a list with all that a list can say. */
const suites = ['conformance/lessons.test.ts', 'lists/lessons.test.ts']

t.test('each file of src that has code has its test, and each test in a folder of src its file', async (t) => {
  const tests = filesOf('test').filter((name) => name.endsWith('.test.ts'))
  const mirrors = files.map((file) => file.replace('.ts', '.test.ts'))
  const folders = new Set(files.map(dirname))
  const others = tests.filter((test) => folders.has(dirname(test)) && !mirrors.includes(test))
  t.strictSame(others.toSorted(), suites)
  const untested = files.filter((file) => hasCode(file) && !tests.includes(file.replace('.ts', '.test.ts')))
  t.strictSame(untested, [])
})
