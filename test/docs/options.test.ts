/** The tables of options and tables say what the types and their documentation say. */
import { readFileSync } from 'node:fs'
import t from 'tap'
import typescript from 'typescript'
import { defaultLists } from '../../src/lists/ready/index.js'
import { rulesFor } from '../../src/options/rules.js'
import { type Settings, settingsOf } from '../../src/options/settings.js'
import { columnsOf } from '../support/fixtures/columns.js'
import { documents, sectionOf } from '../support/running/documents.js'

const plain = (text: string) => text.replace(/\[(.*?)\]\(.*?\)/g, '$1').replaceAll('`', '')

/** The headings of the options, each with the type and the default: "`number`, default `100`. The largest …". */
const documented = (text: string) =>
  [...text.matchAll(/^### (\w+)\n\n`(.+?)`, (?:default )?(.+?)\. /gm)].map(([, name = '', type = '', value = '']) => ({
    name,
    type,
    default: plain(value)
  }))

/** What the source says of each option. */
function declaredOptions() {
  const path = 'src/options/options.ts'
  const source = typescript.createSourceFile(path, readFileSync(path, 'utf8'), typescript.ScriptTarget.Latest, true)
  const options = source.statements
    .filter(typescript.isInterfaceDeclaration)
    .find(({ name }) => name.text === 'OptionsOf')
  return [...(options?.members ?? [])].filter(typescript.isPropertySignature).map((member) => {
    const tag = typescript.getJSDocTags(member).find(({ tagName }) => tagName.text === 'default')
    return {
      name: member.name.getText(),
      // The page leaves the type of the host's instance out.
      type: String(member.type?.getText())
        .replace(/\s*\| undefined$/, '')
        .replace(/^(\| )?\(?\{.*\}\)?$/s, '{ … }')
        .replace(/\bGetTables<.*?>>/, '((db) => TablesOf<Lists>)')
        .replace(/\bGetDatabase<Db>/, '((request) => Db)')
        // Of unknown lists.
        .replaceAll('TablesOf<Lists>', 'ListingTables')
        .replace(/^Lists$/, 'readonly List[]')
        .replaceAll(/\bDb\b/g, 'KyselyInstance'),
      default: member.questionToken ? String(tag?.comment).replaceAll('`', '') : 'required'
    }
  })
}

t.test('the options have the names, types and defaults of the source, in its order', async (t) => {
  const options = documented(documents.get('docs/options.md') ?? '')
  t.strictSame(options, declaredOptions())
  t.strictSame(options.map(({ name }) => name).join(), Object.keys(rulesFor(defaultLists)).join())
})

t.test('a default that is a value is the one that holds', async (t) => {
  const db = { isTransaction: false, getExecutor: () => ({}), selectFrom: () => ({}), destroy: async () => undefined }
  const settings = settingsOf({ db, resolveRole: () => null })
  const values = declaredOptions().filter((option) => /^(\d+|'.*'|true|false)$/.test(option.default))
  t.equal(values.length, 4)
  for (const { name, default: text } of values) {
    t.equal(String(settings[name as keyof Settings]), text.replaceAll("'", ''), name)
  }
  t.match(declaredOptions().find(({ name }) => name === 'defaultLimit')?.default, `${settings.defaultLimit},`)
})

t.test('the tables and their columns are those that there are', async (t) => {
  const rows = [...sectionOf('README.md', 'Tables').matchAll(/^\| `(\w+)` \| ([^|]*) \|$/gm)]
  const columns = rows.map(([, name = '', text = '']) => [name, namesIn(text)])
  t.strictSame(Object.fromEntries(columns), columnsOf)
})

/** The names that an entry point exports. The default export has a name, too. */
const exportsOf = (path: string): string[] =>
  [...readFileSync(path, 'utf8').matchAll(/^export (?:type )?(?:\{([^}]*)\}|(?!default)\w+ (\w+))/gm)]
    .flatMap(([, names = '', name = '']) => [name, ...names.split(',')])
    .map((name) => name.trim().replace(/^.* /, ''))
    .filter((name) => name !== '' && name !== 'default')

t.test('the tables of exports have every export once, and no other name', async (t) => {
  const [, ...parts] = sectionOf('docs/options.md', 'Exports').split(/^.* exports.*:$/m)
  for (const [index, path] of ['src/index.ts', 'src/conformance/index.ts'].entries()) {
    const cells = [...(parts[index] ?? '').matchAll(/^\| .* \| (.*) \|$/gm)]
    const names = cells.flatMap(([, cell = '']) => namesIn(cell))
    t.strictSame(names.toSorted(), exportsOf(path).toSorted(), path)
  }
})

/** The names between backticks. */
function namesIn(text: string) {
  return [...text.matchAll(/`(\w+)`/g)].map(([, name = '']) => name)
}
