/** Random requests for a random list: most are right, and have records that match. */
import { type Asked, type FilterPlan, parametersOf, reachOf, scaled, unscaled } from './oracle.js'
import type { Random } from './random.js'
import type { ColumnPlan } from './random-columns.js'
import type { Data, Row } from './random-data.js'
import { callerIds, newRole, type RandomList, roleNames } from './random-lists.js'

type Pair = [name: string, value: string]

interface Asking {
  random: Random
  plan: RandomList
  data: Data
  /** A record that the request is to find. */
  target: Row | undefined
}

/** Ids that equal those of the data only in the eyes of some types and collations. */
const oddIds = [
  ...['abc', '01', '1.0', '1e0', ' 1', '1 ', '-1', "1'", 'U1', 'u1', 'T1', '%'],
  ...['9007199254740992', '99999999999999999999']
]

export function askedOf(random: Random, plan: RandomList, data: Data): Asked {
  const target = data.records.length > 0 ? random.pick(data.records) : undefined
  const asking = { random, plan, data, target }
  const pairs = [...pagingOf(asking), ...searchOf(asking), ...sortOf(asking)]
  const density = random.pick([0, 0.1, 0.25, 0.5])
  for (const [name, filter] of random.some(Object.entries(plan.filters), density)) {
    pairs.push(...valuesOf(asking, name, filter))
  }
  const asked = { ...callerOf(asking), pairs: random.shuffled(pairs) }
  if (random.chance(0.88)) return asked
  if (random.chance(0.02)) return { ...asked, isBroken: true, mistake: 'encoding' }
  const [mistake, wrong] = spoilt(asking, asked.pairs)
  return { ...asked, mistake, pairs: wrong }
}

// `boss` is not `Boss`.
const roles = [...roleNames, ...roleNames, 'Boss', 'Boss', 'Boss', newRole, 'Nobody', 'boss', '__proto__']

export type RandomCaller = Pick<Asked, 'userId' | 'role' | 'ids'>

function callerOf({ random, plan, data, target }: Asking): RandomCaller {
  const several = random.times(random.pick([1, 1, 1, 2, 2, 3]), () => random.pick(roles))
  const reach = reachOf(plan, random.pick(several))
  const ids = (plan.columns[plan.owner] as ColumnPlan).pool
  const part: PartOf = typeof reach === 'object' ? random.pick([reach].flat()) : { own: plan.owner }
  const column = part.own ?? part.linked ?? plan.owner
  const isLinked = reach === 'linked' || part.linked !== undefined
  const rows = (part.by && data.linkTables[part.by]) || data.links
  const owners = rows
    .filter((row) => ('linked_id' in row ? row.linked_id : row.user_id) === target?.[column])
    .flatMap(({ owner_id }) => owner_id ?? [])
  const own = target?.[column]
  const id =
    isLinked && owners.length > 0 && random.chance(0.7)
      ? random.pick(owners)
      : own && random.chance(0.85)
        ? own
        : random.pick(random.chance(0.8) ? ids : oddIds)
  const [within] = Object.keys(plan.within ?? {})
  const tenant = within && random.chance(0.9) ? target?.[within] : undefined
  const others = random
    .some(callerIds, 0.9)
    .map((name) => [name, random.pick(random.chance(0.9) ? ids : oddIds)] as const)
  const named = {
    ...Object.fromEntries(others),
    ...(tenant && { tenant }),
    ...(part.callerId && { [part.callerId]: id })
  }
  const [role = '', ...more] = several
  return {
    userId: part.callerId ? random.pick(ids) : id,
    role: random.chance(0.02) ? [] : more.length === 0 && random.chance(0.8) ? role : several,
    ...(Object.keys(named).length > 0 && { ids: named })
  }
}

type PartOf = { where?: object; own?: string; linked?: string; by?: string; callerId?: string }

function pagingOf({ random }: Asking): Pair[] {
  const page = random.chance(0.7)
    ? ''
    : random.pick(['1', '1', '2', '2', '2', '3', '3', '5', '9007199254740', '90071992547409'])
  const limit = random.pick(['', '', '1', '2', '3', '5', '10', '20', '100'])
  return [['page', page] as Pair, ['limit', limit] as Pair].filter(([, value]) => value !== '')
}

function searchOf({ random, plan: { search, owner }, data, target }: Asking): Pair[] {
  if (!search || (!search.required && random.chance(0.6))) return []
  const user = data.users.find(({ user_id }) => user_id === target?.[owner])
  const column = random.pick(search.columns)
  const text = column.startsWith('users.') ? user?.[column.replace('users.', '')] : target?.[column]
  const start = random.below(text?.length ?? 1)
  const part = text && random.chance(0.85) ? text.slice(start, start + random.between(1, 4)) : random.pick(someTexts)
  // Only A to Z have another case on every database.
  const term = random.chance(0.3) ? part.replace(/[a-z]/g, (letter) => letter.toUpperCase()) : part
  const wrapped = search.term ? random.pick([term, `#${term}`, ` ${term} `, `a${term}`, `${term} b`]) : term
  return [['search', random.chance(0.05) ? '' : wrapped]]
}

const someTexts = [
  ...['a', 'b', '1', '%', '_', '!', ' ', '\\', "'", '"', 'a ', ' b', '%a', '10%', 'zzz', 'é', '日', 'box.org', '🙂']
]

function sortOf({ random, plan: { sort } }: Asking): Pair[] {
  if (sort.length === 0 || random.chance(0.4)) return []
  return [['sort', random.chance(0.05) ? '' : random.pick(['', '-']) + random.pick(sort)]]
}

function valuesOf(asking: Asking, name: string, filter: FilterPlan): Pair[] {
  const { random, plan, target } = asking
  const column = plan.columns[filter.column] as ColumnPlan
  if (filter.sort === 'range') {
    const wanted = random.pick([['from'], ['to'], ['from', 'to'], ['from', 'to']])
    const other = random.pick(column.pool)
    const ends = [(random.chance(0.85) && target?.[filter.column]) || other, other].slice(0, wanted.length)
    ends.sort((one, other) => (keyOf(column, one) < keyOf(column, other) ? -1 : 1))
    return wanted.map((end, at) => {
      // The first of two ends is only lowered, and the second only raised.
      const directions = wanted.length === 1 ? [-1n, 0n, 0n, 1n] : at === 0 ? [-1n, 0n, 0n] : [0n, 0n, 1n]
      const value = endOf(random, column, ends[at] as string, random.pick(directions))
      return [`${name}_${end}`, random.chance(0.05) ? '' : value]
    })
  }
  const one = (): string => {
    if (random.chance(0.05)) return ''
    const isOften = random.chance(0.8)
    if (filter.sort === 'present') return String(isOften === Boolean(target?.[filter.column]))
    if (column.kind === 'boolean') return (isOften && target?.[filter.column]) || random.pick(['true', 'false'])
    const wanted = random.chance(0.85) ? target?.[filter.column] : undefined
    return wanted ?? random.pick(column.values ?? (random.chance(0.75) ? poolOf(asking, filter) : oddOf(column)))
  }
  if (filter.sort !== 'several') return [[name, one()]]
  const count = random.chance(0.04) ? 50 : random.between(1, 4)
  return random.times(count, () => [name, one()])
}

/** The ids of the records are in the data only. */
const poolOf = ({ plan, data }: Asking, { column }: FilterPlan): string[] =>
  column === plan.id
    ? [...data.records.slice(0, 9).map((row) => row[column] as string), '1']
    : (plan.columns[column]?.pool ?? [])

const oddOf = ({ kind }: ColumnPlan) =>
  kind === 'id'
    ? oddIds
    : [...someTexts, 'A', 'AB', 'a', 'ab ', ' ab', 'É', 'e', 'z'.repeat(256), '🙂'.repeat(256), 'null']

const keyOf = ({ kind }: ColumnPlan, value: string) => (numeric(kind) ? scaled(value) : value)

const day = 86_400_000
const first = Date.UTC(1000, 0, 1)
const last = Date.UTC(9999, 11, 31, 23, 59, 59, 999)

/** A parameter for a value, for a slightly smaller or for a slightly greater one. */
function endOf(random: Random, { kind }: ColumnPlan, value: string, direction: bigint): string {
  if (numeric(kind)) {
    const step = kind === 'integer' ? 10_000_000_000n : random.pick([1n, 100_000_000n, 10_000_000_000n])
    const text = unscaled(scaled(value) + direction * step)
    if (kind === 'integer' || text.includes('.'))
      return random.chance(0.9) ? text : text.replace(/^(-?)/, '$100').slice(0, 16)
    return random.pick([text, text, `${text}.0`, `${text}.0000000000`])
  }
  // Near a zero date is no date.
  const at = Date.parse(
    /^0000|-00/.test(value.slice(0, 10)) ? '2024-01-01' : value.replace(' ', 'T').replace(/\.\d+$/, '$&Z')
  )
  const step = kind === 'date' ? day : random.pick([1, 1, 1000, day])
  const iso = new Date(Math.min(last, Math.max(first, at + Number(direction) * step))).toISOString()
  if (kind === 'date') return iso.slice(0, 10)
  if (random.chance(iso.endsWith('T00:00:00.000Z') ? 0.6 : 0.15)) return iso.slice(0, 10)
  const text = iso.endsWith('.000Z') ? iso.replace('.000', random.pick(['', '', '.0', '.000'])) : iso
  return kind === 'utcTime' ? text : text.replace('Z', '')
}

/** What can be wrong, and the pairs with it. Some are right after all. */
type Spoilt = [mistake: string, pairs: Pair[]]

function spoilt(asking: Asking, pairs: Pair[]): Spoilt {
  const { random, plan } = asking
  const filters = Object.entries(plan.filters)
  const names = [...parametersOf(plan).keys()]
  const instead = (name: string, ...values: string[]): Pair[] => [
    ...pairs.filter(([other]) => other !== name),
    ...values.map((value): Pair => [name, value])
  ]
  const mistakes: (() => Spoilt)[] = [
    () => ['unknown', [...pairs, [random.pick(unknownNames(plan)), random.pick(['', '1', 'true'])]]],
    () => {
      const [name, value] = random.pick(pairs.length > 0 ? pairs : [['page', '1'] as Pair])
      return ['repeated', instead(name, value, random.pick([value, '', '1', 'true']))]
    },
    () => ['page or limit', instead(random.pick(['page', 'limit']), random.pick(wrongPages))],
    () => ['too long, or control characters', instead(random.pick(names), random.pick(wrongTexts))],
    () => ['no search', instead('search')],
    () => ['sort', instead('sort', random.pick(wrongSorts(plan)))],
    () => ['sort given twice', instead('sort', ...random.times(2, () => random.pick([...plan.sort, '-x', ''])))],
    ...(filters.length === 0 ? [] : random.times(7, () => () => spoiltFilter(asking, pairs, random.pick(filters))))
  ]
  return random.pick(mistakes)()
}

const wrongPages = ['0', '-1', '1.5', '01', '', '1e1', ' 1', '101', '9007199254740993', '１', 'x', '90071992547410']
const wrongTexts = ['x'.repeat(257), 'a\u0007', '\u0000', 'a\u009fb', '\n', '\u007f', '🙂'.repeat(257)]
const wrongSorts = ({ columns, sort }: RandomList) => [
  ...Object.keys(columns),
  ...sort.flatMap((of) => [`+${of}`, ` ${of}`, `--${of}`, `${of},${of}`, `${of} desc`, of.toUpperCase()]),
  ...['-', 'x', '__proto__', 'constructor']
]

/** Names that look like parameters. */
function unknownNames(plan: RandomList): string[] {
  const { filters, columns } = plan
  const ends = ['_from', '_till', '[]', '']
  const near = Object.keys(filters).flatMap((name) => [name.toUpperCase(), ...ends.map((end) => name + end)])
  const words = ['colour', 'sort', 'search', 'Page', '__proto__', 'constructor', 'a b', 'é']
  return [...words, ...near, ...Object.keys(columns)].filter((name) => !parametersOf(plan).has(name))
}

const wrongTimes = [
  ...['x', '2024-02-30', '2023-02-29', '2024-13-01', '2024-00-10', '0000-00-00', '2024-2-1', '24-01-01', '12024-01-01'],
  ...['2024-01-01 00:00:00', '2024-01-01T09:30', '2024-01-01T09:30Z', '2024-01-01T', '2024-01-01Z', ' 2024-01-01'],
  ...['2024-01-01T24:00:00', '2024-01-01T24:00:00Z', '2024-01-01T09:60:00', '2024-01-01T09:30:60Z'],
  ...['2024-01-01T09:30:00.Z', '2024-01-01T09:30:00.1234', '2024-01-01T09:30:00.1234Z', '2024-01-01T09:30:00+00:00'],
  '2024-01-01\n',
  // Each is right for one kind of times.
  ...['2024-01-01T09:30:00', '2024-01-01T09:30:00Z', '2024-01-01T09:30:00', '2024-01-01T09:30:00Z']
]
const wrongNumbers = [
  ...['x', '-', '--1', '+1', '1e3', ' 1', '1 ', '.5', '1.', '1,5', '0.5.5', '1_0', '0x1', '１'],
  ...['Infinity', 'NaN', 'true', '1.12345678901', '12345678901234567', '1.0', '-1.5']
]
const wrongBooleans = ['True', 'TRUE', '1', '0', 't', 'f', 'yes', 'null', ' true', 'true,false', 'undefined']

function spoiltFilter({ random, plan }: Asking, pairs: Pair[], [name, filter]: [string, FilterPlan]): Spoilt {
  const column = plan.columns[filter.column] as ColumnPlan
  const { kind, values, pool } = column
  const without = (...names: string[]) => pairs.filter(([other]) => !names.includes(other))
  if (filter.sort === 'range') {
    const [from, to] = [`${name}_from`, `${name}_to`]
    if (random.chance(0.5)) {
      const end = random.pick([from, to])
      return [`form of ${kind}`, [...without(end), [end, random.pick(numeric(kind) ? wrongNumbers : wrongTimes)]]]
    }
    const [one, other] = [random.pick(pool), random.pick(pool)]
    const ends = [one, random.pick([one, other])].map((value) =>
      endOf(random, column, value, random.pick([-1n, 0n, 1n]))
    )
    return [`from > to of ${kind}`, [...without(from, to), [from, ends[0] as string], [to, ends[1] as string]]]
  }
  if (filter.sort === 'present' || kind === 'boolean') {
    return ['boolean', [...without(name), [name, random.pick(wrongBooleans)]]]
  }
  if (filter.sort === 'several' && !values && random.chance(0.5)) {
    const more = random.times(random.between(51, 60), (at): Pair => [name, `${at}`])
    const empty = random.times(random.below(3), (): Pair => [name, ''])
    return ['too many values', [...without(name), ...random.shuffled([...more, ...empty])]]
  }
  const [value = ''] = values ?? []
  const wrong = values ? ['nope', `${value} `, ` ${value}`, value.toUpperCase(), values.join()] : wrongTexts
  // A wrong value among right ones.
  const kept = filter.sort === 'several' ? pairs : without(name)
  return [`value of ${kind}`, [...kept, [name, random.pick(wrong)]]]
}

const numeric = (kind: ColumnPlan['kind']) => kind === 'decimal' || kind === 'integer'
