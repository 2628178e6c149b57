/** Makes the list of a random plan, with `defineList` and `extend`. */
import { column, defineList, type List } from '../../../src/index.js'
import { type FilterPlan, type Kind, terms } from './oracle.js'
import { type ColumnPlan, nullsOf } from './random-columns.js'
import type { RandomList } from './random-lists.js'

const exampleOf: Record<Kind, unknown> = {
  ...{ id: '7', text: 'abc', enum: '', decimal: 12.5, integer: 30, boolean: true },
  ...{ date: '2026-06-01', utcTime: '2026-06-01T09:30:00Z', wallTime: '2026-06-01 09:30:00' }
}

const examplesOf = ({ kind, values }: ColumnPlan) => [values ? values[0] : exampleOf[kind]]

// The types of the generators depend on the kind.
const generators = column as unknown as Record<Kind, (...parameters: unknown[]) => unknown>

function madeColumn({ kind, whenNull, values, pool }: ColumnPlan, documented: object = {}): unknown {
  // Half of the columns name the default.
  const nulls = whenNull === nullsOf[kind][0] && pool.length % 2 === 0 ? {} : { whenNull }
  return generators[kind](...(values ? [values] : []), { ...nulls, ...documented })
}

const mapped = <From, To>(record: Record<string, From>, make: (value: From, name: string) => To): Record<string, To> =>
  Object.fromEntries(Object.entries(record).map(([name, value]) => [name, make(value, name)]))

const where = <Of>(record: Record<string, Of>, isKept: (name: string) => boolean): Record<string, Of> =>
  Object.fromEntries(Object.entries(record).filter(([name]) => isKept(name)))

const part = <Of>(record: Record<string, Of>, start: number, end?: number): Record<string, Of> =>
  Object.fromEntries(Object.entries(record).slice(start, end))

const texts = (path: string, key: string, name: string) => ({
  ...{ path, key },
  openapi: { name, operationId: `list${name}`, summary: `List ${name}`, description: `The ${name}.` }
})

/** The list. A list that is extended has another path, another key and other texts before. */
export function listOf(plan: RandomList): List {
  const { search, sort, base } = plan
  const rest = {
    ...{ name: plan.name, id: plan.id, owner: plan.owner, order: `${plan.order === 'newest' ? '-' : ''}${plan.by}` },
    ...(plan.practitioner && { practitioner: plan.practitioner }),
    roles: plan.roles,
    ...(plan.otherRoles && { otherRoles: plan.otherRoles }),
    ...(plan.within && { within: plan.within }),
    messages: { found: 'Found.', forbidden: 'Forbidden.' }
  }
  const searchOf = (columns: string[]) =>
    search && {
      search: {
        ...{ columns, examples: ['ab'] },
        ...(search.required && { required: true }),
        ...(search.term && { term: terms[search.term] })
      }
    }
  const isAll = () => true
  const whole = texts(plan.path, plan.key, 'Lesson')
  const searched = search?.columns ?? []
  const unshown = unshownOf(plan, searched)
  if (!base) return made({ ...whole, ...rest, ...searchOf(searched), unshown, ...additions(plan, plan, isAll) })

  const start = {
    fields: part(plan.fields, 0, base.fields),
    filters: part(plan.filters, 0, base.filters),
    sort: sort.slice(0, base.sort)
  }
  const searchedFirst = searched.slice(0, base.search)
  const first = { ...rest, ...searchOf(searchedFirst), unshown: unshownOf(start, searchedFirst) }
  // Whatever the first list names must be in the first list.
  const needed = new Set(JSON.stringify([first, start]).match(/\w[\w.-]*/g))
  const isFirst = (name: string) => needed.has(name)
  const list = made({ ...texts('/other', 'other', 'Other'), ...first, ...additions(plan, start, isFirst) })
  const end = {
    fields: part(plan.fields, base.fields),
    filters: part(plan.filters, base.filters),
    sort: sort.slice(base.sort)
  }
  const more = searched.slice(base.search)
  return (list as unknown as { extend(additions: object): List }).extend({
    ...whole,
    ...additions(plan, end, (name) => !isFirst(name)),
    unshown,
    ...(more.length > 0 && { search: { columns: more } })
  })
}

/** The columns that sorts, filters and the search read, and that no field shows. */
function unshownOf({ fields, filters, sort }: Pick<RandomList, 'fields' | 'filters' | 'sort'>, searched: string[]) {
  const read = [...sort, ...searched, ...Object.values(filters).map(({ column }) => column)]
  const shown = Object.values(fields)
  return [...new Set(read)].filter((column) => !shown.includes(column))
}

const made = (definition: object) => (defineList as unknown as (definition: object) => List)(definition)

/** What a definition says of these fields, filters and sorts. A column stands in the field of its name, or in `columns`. */
function additions(
  { columns, joined, fieldRoles = {} }: RandomList,
  { fields, filters, sort }: Pick<RandomList, 'fields' | 'filters' | 'sort'>,
  isHere: (name: string) => boolean
) {
  const isField = (name: string) => isHere(name) && fields[name] === name
  return {
    fields: mapped(fields, (path, name) => {
      const [table = '', ofTable = ''] = path.split('.')
      const column = columns[path] ?? joined[table as 'users']?.[ofTable]
      const examples = column ? examplesOf(column) : (ofPeople[path] ?? ['abc'])
      const documented = { examples, ...(fieldRoles[name] && { roles: fieldRoles[name] }) }
      return column && isField(name) ? madeColumn(column, documented) : { column: path, ...documented }
    }),
    columns: mapped(
      where(columns, (name) => isHere(name) && !isField(name)),
      (column) => madeColumn(column)
    ),
    joined: mapped(joined, (columns, table) =>
      mapped(
        where(columns, (name) => isHere(`${table}.${name}`)),
        (column) => madeColumn(column)
      )
    ),
    filters: mapped(filters, (filter, name) => filterOf(columns, name, filter)),
    sort
  }
}

const ofPeople: Record<string, unknown[]> = { 'memberships.org_name': [['Acme']], 'users.avatar_url': [null] }

function filterOf(columns: RandomList['columns'], name: string, { sort, column }: FilterPlan) {
  if (sort === 'range' || sort === 'present') return { column, [sort]: true }
  const examples = examplesOf(columns[column] as ColumnPlan)
  return { ...(column !== name && { column }), ...(sort === 'several' && { several: true }), examples }
}
