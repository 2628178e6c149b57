/** The tables of options and tables say what the types and their documentation say. */
import { readFileSync } from 'node:fs'
import t from 'tap'
import typescript from 'typescript'
import { defaultLists } from '../../src/lists/index.js'
import { rulesFor } from '../../src/options/rules.js'
import { type Settings, settingsOf } from '../../src/options/settings.js'
import { columnsOf } from '../support/columns.js'
import { documents, sectionOf } from '../support/documents.js'

/** The rows of the section's table whose first cell is a name, without its marks. */
const rowsOf = (text: string): string[][] =>
  [...text.matchAll(/^\| (`\w+` .*) \|$/gm)].map(([, row = '']) =>
    row.split(/ (?<!\\)\| /).map((cell) =>
      cell
        .replaceAll('\\|', '|')
        .replace(/\[(.*?)\]\(.*?\)/g, '$1')
        .replaceAll('`', '')
    )
  )

interface Option {
  name: string
  type: string
  default: string
}

const statementsOf = (path: string) =>
  typescript.createSourceFile(path, readFileSync(path, 'utf8'), typescript.ScriptTarget.Latest, true).statements

/** What the source says of each option. */
function declaredOptions(): Option[] {
  const options = statementsOf('src/options/options.ts')
    .filter(typescript.isInterfaceDeclaration)
    .find(({ name }) => name.text === 'ListingOptions')
  return [...(options?.members ?? [])].filter(typescript.isPropertySignature).map((member) => {
    const tag = typescript.getJSDocTags(member).find(({ tagName }) => tagName.text === 'default')
    return {
      name: member.name.getText(),
      // the table leaves the type of the host's instance out
      type: String(member.type?.getText())
        .replace(/\s*\| undefined$/, '')
        .replace(/^(\| )?\{.*\}$/s, '{ … }')
        .replaceAll('<Db>', '')
        // The compiler checks `lists` in `defineOptions`.
        .replace(/^'Write defineOptions.*'$/, 'readonly List[]')
        .replace(/\bDb\b/, 'KyselyInstance'),
      default: member.questionToken ? String(tag?.comment).replaceAll('`', '') : 'required'
    }
  })
}

t.test('the options have the names, types and defaults of the source, in its order', async (t) => {
  const rows = rowsOf(documents.get('docs/options.md') ?? '').map(([name, type, value]) => ({
    name,
    type,
    default: value
  }))
  t.strictSame(rows, declaredOptions())
  t.strictSame(
    rows.map(({ name }) => name),
    Object.keys(rulesFor(defaultLists))
  )
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
  t.strictSame(
    Object.fromEntries(
      rows.map(([, name, columns = '']) => [name, [...columns.matchAll(/`(\w+)`/g)].map(([, column]) => column)])
    ),
    columnsOf
  )
})

/** The names that an entry point exports. The default export has a name, too. */
const exportsOf = (path: string): string[] =>
  statementsOf(path)
    .flatMap((statement): (typescript.Node | undefined)[] => {
      if (!statement.getText().startsWith('export ') || typescript.isExportAssignment(statement)) return []
      if (typescript.isInterfaceDeclaration(statement) || typescript.isFunctionDeclaration(statement)) {
        return [statement.name]
      }
      const clause = typescript.isExportDeclaration(statement) && statement.exportClause
      if (clause && typescript.isNamedExports(clause)) return clause.elements.map(({ name }) => name)
      throw new Error(`${path}: this test has to learn the export ${statement.getText()}`)
    })
    .map((name) => String(name?.getText()))
    .filter((name) => name !== 'default')

t.test('the tables of exports have every export once, and no other name', async (t) => {
  const [, ...parts] = sectionOf('docs/options.md', 'Exports').split(/^.* exports.*:$/m)
  for (const [index, path] of ['src/index.ts', 'src/conformance/index.ts'].entries()) {
    const names = [...(parts[index] ?? '').matchAll(/^\| .* \| (.*) \|$/gm)].flatMap(([, cell = '']) =>
      [...cell.matchAll(/`(\w+)`/g)].map(([, name]) => name)
    )
    t.strictSame(names.sort(), exportsOf(path).sort(), path)
  }
})
