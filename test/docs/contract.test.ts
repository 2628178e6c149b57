/** The rules of docs/contract.md are numbered consecutively, and each rule that is cited exists. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { defaultMessages } from '../../src/errors/client-texts.js'
import { defaultLists as lists } from '../../src/lists/ready/index.js'

const page = readFileSync('docs/contract.md', 'utf8')

const rulesOf = (text: string): [number: number, rule: string][] =>
  [...text.matchAll(/^(\d+)\. (.+)$/gm)].map(([, number, rule = '']) => [Number(number), rule])

const rules = rulesOf(page)
const numbers = new Set(rules.map(([number]) => number))

/** The sections by title. */
const sections = new Map(
  page
    .split(/^## /m)
    .slice(1)
    .map((section) => [section.split('\n', 1).join(), section.replace(/^.*\n/, '')])
)

t.test('the rules are numbered from 1 without a gap, and each is one to three sentences on one line', async (t) => {
  for (const [index, [number, rule]] of rules.entries()) {
    t.equal(number, index + 1)
    const sentences = rule.replaceAll(/`[^`]*`/g, 'x').match(/[^.]+\.?/g) ?? []
    t.ok(sentences.length <= 3, `rule ${number}`)
  }
  for (const [title, text] of sections) t.ok(rulesOf(text).length > 0, title)
  const lines = [...sections.values()].flatMap((text) => text.split('\n')).filter((line) => line !== '')
  t.equal(lines.length, rules.length)
})

/** The numbers of `contract 7`, `contract 7 and 9`, `contract 7, 9 and 12` and `contract 7 to 9`. */
function cited(text: string): number[] {
  const citations = text.matchAll(/\b(?:contract|rules?) (\d+(?:(?:, | and | to )\d+)*)/g)
  return [...citations].flatMap(([, citation = '']) =>
    citation.split(/, | and /).flatMap((part) => {
      const [first = 0, last = first] = part.split(' to ').map(Number)
      return Array.from({ length: Math.max(0, last - first) + 1 }, (_, index) => first + index)
    })
  )
}

const folders = ['src', 'test', 'examples', 'bench', '.github', 'docs']
const files = [
  'README.md',
  'CHANGELOG.md',
  ...folders.flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.(ts|mjs|md)$/.test(name) && !/node_modules|dist/.test(name))
      .map((name) => join(folder, name))
  )
]

t.test('every cited rule exists', async (t) => {
  for (const file of files.filter((file) => !file.endsWith('contract.test.ts'))) {
    const text = readFileSync(file, 'utf8')
    for (const number of cited(text)) {
      t.ok(numbers.has(number), `${file}: contract ${number}`)
    }
    t.notMatch(text, /contract \(?[A-Z]\d*\b/, `${file} cites by number`)
  }
})

t.test('the fields of the items are those of the lists', async (t) => {
  const titles = { assessments: 'Assessment items', payments: 'Payment items' }
  for (const { name, fields } of lists) {
    const [[, range = ''] = [], ...ruled] = rulesOf(sections.get(titles[name]) ?? '')
    t.strictSame(ruled.map(([, rule]) => /^`(\w+)`/.exec(rule)?.[1]).join(), Object.keys(fields).join(), name)
    t.strictSame(cited(range).join(), ruled.map(([number]) => number).join())
  }
})

t.test('the texts of the errors are the default ones', async (t) => {
  const errors = sections.get('Errors') ?? ''
  const texts = [...errors.matchAll(/`error` is `(.*?)`/g)].map(([, text]) => text)
  const { unauthorized, internal, unavailable, timeout } = defaultMessages
  t.strictSame(texts, [
    unauthorized,
    ...lists.map(({ messages }) => messages.forbidden),
    internal,
    unavailable,
    timeout
  ])
})
