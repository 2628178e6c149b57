/** Makes the list of a random plan, with `defineList` and `extend`. */
import { column, defineList, type List } from '../../src/index.js'
import { type ColumnPlan, type Kind, nullsOf } from './random-columns.js'
import { type FilterPlan, type ListPlan, terms } from './random-lists.js'

const exampleOf: Record<Kind, unknown> = {
  id: '7',
  text: 'abc',
  enum: '',
  decimal: 12.5,
  integer: 30,
  boolean: true,
  date: '2026-06-01',
  utcTime: '2026-06-01T09:30:00Z',
  wallTime: '2026-06-01 09:30:00'
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

const part = <Of>(record: Record<string, Of>, start: number, end?: number): Record<string, Of> =>
  Object.fromEntries(Object.entries(record).slice(start, end))

/** The list, and the first list of one that is extended. */
export function listOf(plan: ListPlan): List {
  const { people, search, sort, filters, fields, base } = plan
  const texts = (path: string, key: string, name: string) => ({
    path,
    key,
    openapi: { name, operationId: `list${name}`, summary: `List ${name}`, description: `The ${name}.` }
  })
  const whole = texts(plan.path, plan.key, 'Lesson')
  const entries = {
    filters: mapped(filters, (filter, name) => filterOf(plan, name, filter)),
    joined: mapped(people, (columns) => mapped(columns, (column) => madeColumn(column)))
  }
  const searchOf = (columns: string[]) =>
    search && {
      search: {
        columns,
        examples: ['ab'],
        ...(search.required && { required: true }),
        ...(search.term && { term: terms[search.term] })
      }
    }
  const rest = {
    name: plan.name,
    id: plan.id,
    owner: plan.owner,
    [plan.order]: plan.by,
    ...(plan.practitioner && { practitioner: plan.practitioner }),
    roles: plan.roles,
    ...(plan.otherRoles && { otherRoles: plan.otherRoles }),
    messages: { found: 'Found.', forbidden: 'Forbidden.' }
  }
  if (!base) {
    return made({ ...whole, ...rest, ...shown(plan, fields), ...entries, ...searchOf(search?.columns ?? []), sort })
  }

  const first = {
    ...rest,
    filters: part(entries.filters, 0, base.filters),
    sort: sort.slice(0, base.sort),
    ...searchOf(search?.columns.slice(0, base.search) ?? [])
  }
  // Whatever the first list names must be in the first list.
  const needed = new Set(
    JSON.stringify([first, part(fields, 0, base.fields), part(filters, 0, base.filters)]).match(/[\w.-]+/g)
  )
  const isFirst = (name: string) => needed.has(name)
  const split = (record: Record<string, unknown>, isHere: (name: string) => boolean) =>
    Object.fromEntries(Object.entries(record).filter(([name]) => isHere(name)))
  const joinedOf = (isHere: (name: string) => boolean) =>
    Object.fromEntries(
      Object.entries(entries.joined).map(([table, of]) => [table, split(of, (name) => isHere(`${table}.${name}`))])
    )
  const list = made({
    // The extended list gets another path, another key and other texts.
    ...texts('/other', 'other', 'Other'),
    ...first,
    ...shown(plan, part(fields, 0, base.fields), isFirst),
    joined: joinedOf(isFirst)
  })
  const more = search?.columns.slice(base.search) ?? []
  return (list as unknown as { extend(additions: object): List }).extend({
    ...whole,
    ...shown(plan, part(fields, base.fields), (name) => !isFirst(name)),
    joined: joinedOf((name) => !isFirst(name)),
    filters: part(entries.filters, base.filters),
    sort: sort.slice(base.sort),
    ...(more.length > 0 && { search: { columns: more } })
  })
}

const made = (definition: object) => (defineList as unknown as (definition: object) => List)(definition)

const people: Record<string, unknown[]> = { 'memberships.org_name': [['Acme']], 'users.avatar_url': [null] }

/** A column stands in the field of its name, or else in `columns`. */
function shown(plan: ListPlan, fields: Record<string, string>, isHere: (name: string) => boolean = () => true) {
  const { columns, people: more } = plan
  const isField = (name: string) => isHere(name) && fields[name] === name
  const fieldOf = (path: string, name: string) => {
    const [table = '', ofTable = ''] = path.split('.')
    const column = columns[path] ?? more[table as 'users']?.[ofTable]
    const examples = column ? examplesOf(column) : (people[path] ?? ['abc'])
    return column && isField(name) ? madeColumn(column, { examples }) : { column: path, examples }
  }
  const others = Object.entries(columns).filter(([name]) => isHere(name) && !isField(name))
  return {
    fields: mapped(fields, fieldOf),
    columns: mapped(Object.fromEntries(others), (column) => madeColumn(column))
  }
}

function filterOf({ columns }: ListPlan, name: string, { sort, column }: FilterPlan) {
  if (sort === 'range' || sort === 'present') return { column, [sort]: true }
  const examples = examplesOf(columns[column] as ColumnPlan)
  return { ...(column !== name && { column }), ...(sort === 'several' && { several: true }), examples }
}
