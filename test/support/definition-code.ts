/** The code of a definition, and of definitions that differ from it in some places. */

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
