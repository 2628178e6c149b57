/** Counts what the trials of random lists have seen, so that nothing passes because nothing was asked. */
import type { Data } from './random-data.js'
import { type ListPlan, parametersOf, reachOf } from './random-lists.js'
import type { Asked, Expected } from './random-oracle.js'

export type Counts = Map<string, number>

export type Way = 'http' | 'find' | 'each'

const count = (counts: Counts, name: string) => counts.set(name, (counts.get(name) ?? 0) + 1)

export function countList(counts: Counts, plan: ListPlan, data: Data): void {
  for (const name of usesOf(plan, data)) count(counts, `list: ${name}`)
}

/** What a list has. */
function usesOf(plan: ListPlan, { records }: Data): string[] {
  const { columns, fields, filters, sort, search, roles, otherRoles, visibility, by } = plan
  const reaches = [...Object.values(roles), ...Object.values(visibility), otherRoles]
  return [
    ...new Set([
      'all',
      `${plan.order} by ${columns[by]?.kind}`,
      `ids of records ${columns[plan.id]?.isNumeric ? 'as numbers' : 'as texts'}`,
      `ids of users ${columns[plan.owner]?.isNumeric ? 'as numbers' : 'as texts'}`,
      ...Object.values(columns).flatMap(({ kind, whenNull, type }) => [
        `column ${kind} whenNull ${whenNull}`,
        `type ${type.replace(/^(enum|"enum).*/, 'enum')}`
      ]),
      ...Object.values(fields).map(
        (column) => `field of ${column.includes('.') ? column.replace(/\..*/, '') : 'the list'}`
      ),
      ...Object.values(filters).map(({ sort, column }) => `filter ${sort} of ${columns[column]?.kind}`),
      ...sort.map((name) => `sort by ${columns[name]?.kind}`),
      ...(search
        ? search.columns.map((column) => `search in ${column.includes('.') ? 'users' : 'the list'}`)
        : ['no search']),
      ...(search?.term ? ['search.term'] : []),
      ...(search?.required ? ['search.required'] : []),
      ...reaches.map((reach) => `reach ${typeof reach === 'object' ? 'own column' : (reach ?? 'by default none')}`),
      ...(plan.base ? ['extend'] : []),
      `tables: ${plan.tables}`,
      ...(plan.computed.length > 0 && /select|function/.test(plan.tables) ? ['tables: with computed columns'] : []),
      ...(records.length === 0 ? ['no records'] : []),
      ...(records.length > 1000 ? ['more than 1000 records'] : [])
    ])
  ]
}

export function countAnswer(
  counts: Counts,
  plan: ListPlan,
  { role, pairs, mistake }: Asked,
  way: Way,
  expected: Expected
) {
  const { status } = expected
  const found = status === 200 && expected.total > 0
  const names = [
    `${way}`,
    ...usedBy(plan, pairs),
    ...(mistake ? [`mistake: ${mistake}`] : []),
    ...(status === 403 ? [] : [reachText(plan, role)])
  ]
  for (const name of [...new Set(names)]) {
    count(counts, `${name}: requests`)
    count(counts, `${name}: ${status}`)
    if (found) count(counts, `${name}: 200 with records`)
  }
  count(counts, 'requests')
  count(counts, `requests: ${status}`)
  if (found) count(counts, 'requests: 200 with records')
  if (status === 200 && expected.items.length > 0) count(counts, 'requests: 200 with items on the page')
}

const reachText = (plan: ListPlan, role: string) => {
  const reach = reachOf(plan, role)
  return `reach ${typeof reach === 'object' ? 'own column' : reach}`
}

/** What the parameters that are not empty use. */
function usedBy(plan: ListPlan, pairs: Asked['pairs']): string[] {
  const known = parametersOf(plan)
  return pairs.flatMap(([name, value]) => {
    const of = known.get(name)
    if (of === undefined) return ['unknown parameter']
    if (value === '') return ['empty parameter']
    if (of === 'sort')
      return [
        `sort by ${plan.columns[value.replace(/^-/, '')]?.kind ?? '?'}${value.startsWith('-') ? ' descending' : ''}`
      ]
    return typeof of === 'string' ? [of] : [`filter ${of.sort} of ${plan.columns[of.column]?.kind}`]
  })
}
