/** Counts what the trials of random lists have seen, so that nothing passes because nothing was asked. */
import { type Asked, type Expected, parametersOf, type Reach, reachOf } from './oracle.js'
import type { Data } from './random-data.js'
import type { RandomList } from './random-lists.js'

export type Counts = Map<string, number>

export type Way = 'http' | 'find' | 'each'

export const count = (counts: Counts, name: string) => counts.set(name, (counts.get(name) ?? 0) + 1)

/** Counts what a list has. */
export function countList(counts: Counts, plan: RandomList, { records }: Data): void {
  const { columns, fields, filters, sort, search, roles, otherRoles, optionRoles, by } = plan
  const idsAre = (column: string) => (columns[column]?.isNumeric ? 'as numbers' : 'as texts')
  const tableOf = (path: string) => (path.includes('.') ? path.replace(/\..*/, '') : 'the list')
  const reaches = [...Object.values(roles), ...Object.values(optionRoles), otherRoles]
  const isSelect = /select|function/.test(plan.tables)
  const names = [
    ...['all', `${plan.order} by ${columns[by]?.kind}`, `tables: ${plan.tables}`],
    ...[`ids of records ${idsAre(plan.id)}`, `ids of users ${idsAre(plan.owner)}`],
    ...Object.values(columns).map(({ kind, whenNull }) => `column ${kind} whenNull ${whenNull}`),
    ...Object.values(columns).map(({ type }) => `type ${type.replace(/^(enum|"enum).*/, 'enum')}`),
    ...Object.values(fields).map((column) => `field of ${tableOf(column)}`),
    ...Object.values(filters).map(({ sort, column }) => `filter ${sort} of ${columns[column]?.kind}`),
    ...sort.map((name) => `sort by ${columns[name]?.kind}`),
    ...(search ? search.columns.map((column) => `search in ${tableOf(column)}`) : ['no search']),
    ...reaches.map((reach) => `reach ${reach ? inWords(reach) : 'by default none'}`)
  ]
  const more: Record<string, unknown> = {
    ...{ 'search.term': search?.term, 'search.required': search?.required, extend: plan.base },
    'tables: with computed columns': isSelect && plan.computed.length > 0,
    ...{ 'no records': records.length === 0, 'more than 1000 records': records.length > 1000 }
  }
  for (const name of new Set([...names, ...Object.keys(more).filter((name) => more[name])])) {
    count(counts, `list: ${name}`)
  }
}

export function countAnswer(counts: Counts, plan: RandomList, asked: Asked, way: Way, expected: Expected) {
  const { role, pairs, mistake } = asked
  const { status } = expected
  const found = status === 200 && expected.total > 0
  const names = [
    ...[way, ...usedBy(plan, pairs)],
    ...(mistake ? [`mistake: ${mistake}`] : []),
    ...(status === 403 ? [] : [role].flat().map((role) => reachText(plan, role))),
    ...([role].flat().length > 1 ? ['several roles'] : []),
    ...(plan.within ? ['within'] : []),
    ...(found && new Set(expected.items.map(namesIn)).size > 1 ? ['items with different fields'] : [])
  ]
  for (const name of new Set(names)) {
    count(counts, `${name}: requests`)
    count(counts, `${name}: ${status}`)
    if (found) count(counts, `${name}: 200 with records`)
  }
  count(counts, 'requests')
  count(counts, `requests: ${status}`)
  if (found) count(counts, 'requests: 200 with records')
  if (status === 200 && expected.items.length > 0) count(counts, 'requests: 200 with items on the page')
}

/** A request to two servers that differ only in what the caller may not see. */
export const countTwin = (counts: Counts, status: number): void => {
  count(counts, 'hidden columns: requests')
  count(counts, `hidden columns: ${status}`)
}

const namesIn = (item: string) => Object.keys(JSON.parse(item)).join()

const reachText = (plan: RandomList, role: string) => `reach ${inWords(reachOf(plan, role))}`

const inWords = (reach: Reach): string => {
  if (typeof reach === 'string') return reach
  if (Array.isArray(reach)) return `of ${reach.length} parts`
  const kind = 'own' in reach ? 'own column' : 'linked' in reach ? 'linked column' : 'no id'
  return `${kind}${reach.where ? ' where' : ''}${'callerId' in reach ? ' by another id' : ''}`
}

/** What the parameters that are not empty use. */
function usedBy(plan: RandomList, pairs: Asked['pairs']): string[] {
  const known = parametersOf(plan)
  return pairs.flatMap(([name, value]) => {
    const of = known.get(name)
    if (of === undefined) return ['unknown parameter']
    if (value === '') return ['empty parameter']
    const sorted = plan.columns[value.replace(/^-/, '')]?.kind
    if (of === 'sort') return [`sort by ${sorted ?? '?'}${value.startsWith('-') ? ' descending' : ''}`]
    return typeof of === 'string' ? [of] : [`filter ${of.sort} of ${plan.columns[of.column]?.kind}`]
  })
}
