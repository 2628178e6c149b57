/** The code of a definition, and of definitions that differ from it in some places. */
import type { Test } from 'tap'
import { column } from '../../src/lists/columns.js'
import { defineList } from '../../src/lists/define-list.js'
import type { payments } from '../../src/lists/ready/payments.js'

const right = {
  name: "'certificates'",
  path: "'/certificate/list'",
  key: "'data'",
  openapi: {
    name: "'Certificate'",
    operationId: "'listCertificates'",
    summary: "'List'",
    description: "'The certificates.'"
  },
  columns: {
    holder_id: 'column.id()',
    coach_id: "column.id({ whenNull: 'null' })",
    level: "column.enum(['basic', 'expert'], { whenNull: 'null' })",
    score: 'column.decimal()',
    expires_at: 'column.utcTime()',
    issued_at: "column.utcTime({ whenNull: 'error' })"
  },
  id: "'certificate_id'",
  owner: "'holder_id'",
  order: "'-issued_at'",
  fields: {
    certificate_id: "column.id({ examples: ['81'] })",
    email: "{ column: 'users.email', examples: ['zoe@example.org'] }",
    title: "column.text({ examples: ['First aid'] })"
  },
  search: "{ columns: ['title', 'users.email'], examples: ['aid'] }",
  filters: { level: "{ examples: ['basic'] }", issued: "{ column: 'issued_at', range: true }" },
  unshown: "['level', 'issued_at', 'score', 'holder_id', 'expires_at', 'coach_id']",
  roles: "{ Admin: 'all' }",
  messages: "{ found: 'Found.', forbidden: 'No.' }"
}

type Code = string | { readonly [name: string]: Code }

const codeOf = (code: Code): string =>
  typeof code === 'string'
    ? code
    : `{ ${Object.entries(code)
        .map(([name, each]) => `${name}: ${codeOf(each)}`)
        .join(', ')} }`

/**
 * The code of the right definition after changes such as `owner: 'score'; columns.done: column.boolean(); order: `. A value
 * replaces or adds a property, and an empty one takes it away. `extend: ` is the argument of `extend`.
 */
export function definitionCode(changes = ''): string {
  const code: Record<string, Code> = structuredClone(right)
  for (const change of changes.split('; ').filter(Boolean)) {
    const [, path = '', value = ''] = /^(.+?): (.*)$/s.exec(change) ?? []
    const [, group = '', name = path] = /^(\w+)\.(.+)$/.exec(path) ?? []
    const of = group ? (code[group] as Record<string, Code>) : code
    if (value) of[name] = value
    else delete of[name]
  }
  const { extend, ...definition } = code
  return `defineList(${codeOf(definition)})${extend ? `.extend(${codeOf(extend)})` : ''}`
}

/** Runs a definition as JavaScript, as a host without TypeScript does. */
export const run = (changes?: string): typeof payments =>
  new Function('column', 'defineList', `return ${definitionCode(changes)}`)(column, defineList)

/** Each change is a TypeError at the boot that says what to do. The messages are without the name of the list. */
export function areRefused(t: Test, mistakes: Readonly<Record<string, string>>): void {
  t.ok(run())
  for (const [changes, problem] of Object.entries(mistakes)) {
    const list = /^name: '(.*)'$/.exec(changes)?.[1] ?? 'certificates'
    const message = `List '${list}': ${problem}.`
    t.throws(() => run(changes), { name: 'TypeError', code: 'FST_LISTING_INVALID_OPTION', message }, changes)
  }
}
