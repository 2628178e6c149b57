/** A question: what a request asks of a list. The route, `find` and `each` make it in the same way. */
import type { ListSql, RecordKey, RunSql } from '../../database/dialect.js'
import { type Form, formOf, type Parameter, parameterOf } from '../../database/parameter.js'
import type { Failure } from '../../errors/failure.js'
import type { List, Order } from '../../lists/list.js'
import type { Caller } from '../../visibility/caller.js'
import { type Grants, idNamesOf, isOfAll } from '../../visibility/grant.js'
import type { CountedFilter, Limited, Part, Partly } from '../../visibility/partial-columns.js'

/** A slice of the list. */
export interface Page {
  /** The first page is 1. */
  readonly page: number
  readonly limit: number
}

export interface Question extends Page {
  readonly list: List
  /** The grants that can find a record. */
  readonly reach: Grants
  /** Undefined if every record has all fields. */
  readonly partly?: readonly Partly[] | undefined
  /** The columns that parameters read, and that stand only in some records of the reach. */
  readonly limited?: Limited | undefined
  readonly caller: Omit<Caller, 'roles'>
  /** What the search looks for, in the form in which the columns hold it. Undefined without a search. */
  readonly term?: string | undefined
  /** The values of the given filters, by parameter name. */
  readonly filters: Readonly<Record<string, readonly string[]>>
  readonly order: Order
  /** Two questions, if some records have no place by their value: the others in order, and then these by their ids. */
  readonly parts?: readonly [Question, Question] | undefined
  readonly part?: Part | undefined
  /** The place after which the page begins. Undefined for a page with a number, and for the first one. */
  readonly after?: RecordKey | undefined
  /** The error if the database refuses the texts of `after`: only a forged `after` can be refused. */
  readonly refused?: (() => Failure) | undefined
  /** Whether a page after a record has the total. */
  readonly asksTotal?: boolean | undefined
  /** The id of the only record that is asked for. */
  readonly id?: string | undefined
  readonly counts?: readonly CountedFilter[] | undefined
}

/** What the SQL depends on: the form of a parameter and not its text, so questions of one shape share a statement. */
export interface Shape {
  readonly list: List
  readonly reach: Grants
  readonly partly: readonly Partly[]
  readonly limited: Limited
  readonly order: Order
  readonly part: Part | undefined
  readonly callerId: Parameter
  /** The other ids of the caller that the SQL compares, by their names. */
  readonly ids: Readonly<Record<string, Parameter>>
  readonly term: Parameter | undefined
  /** The given filters, by parameter name. The values of a filter share one form, so that few statements differ. */
  readonly filters: Readonly<Record<string, readonly Parameter[]>>
  readonly after: RecordKey<Parameter, Parameter> | undefined
  readonly id: Parameter | undefined
}

type ParameterFor = (text: string, form: Form, name: string) => Parameter

/** @param parameter what stands in the SQL for a text: the text itself, or a slot of that name */
export function shapeOf(question: Omit<Question, keyof Page>, parameter: ParameterFor = parameterOf): Shape {
  const {
    list,
    reach,
    partly = [],
    limited = {},
    counts = [],
    order,
    part,
    caller,
    term,
    filters,
    after,
    id
  } = question
  const of = (name: string, text: string) => parameter(text, formOf(text), name)
  const ofLimited = [limited, ...counts.map(({ limited = {} }) => limited)].flatMap((each) => Object.values(each))
  const ofParts = [...partly.map(({ grants }) => grants), ...counts.map(({ reach }) => reach)]
  const grants = [reach, ...ofParts, ...ofLimited].flat()
  const idOf = (name: string) => [name, of(`caller id ${name}`, caller.ids[name] as string)] as const
  return {
    list,
    reach,
    partly,
    limited,
    order,
    part,
    callerId: of('caller', caller.userId),
    ids: Object.fromEntries(idNamesOf(list, grants).map(idOf)),
    term: term === undefined ? undefined : of('term', term),
    filters: Object.fromEntries(
      Object.entries(filters).map(([name, texts]) => [name, several(name, texts, parameter)])
    ),
    after: after && keyOf(after, parameter),
    id: id === undefined ? undefined : of('record', id)
  }
}

function several(name: string, texts: readonly string[], parameter: ParameterFor): Parameter[] {
  const form = formOf(...texts)
  return texts.map((text, place) => parameter(text, form, `filter ${name} ${place}`))
}

export function keyOf(
  { value, id }: RecordKey,
  parameter: ParameterFor = parameterOf
): RecordKey<Parameter, Parameter> {
  // A record without a place by its value has one by its id.
  const place = value ?? id
  return { value: parameter(place, formOf(place), 'value'), id: parameter(id, formOf(id), 'id') }
}

/** The database decides the order of texts, and an ENUM has an order of its own. */
export const sortsTexts = ({ list, order }: Pick<Shape, 'list' | 'order'>): boolean =>
  list.columns[order.column]?.rules.sortedBy === 'text'

/** Of a parameter, JSON has only the form. The values of a filter share it, so one and their number are enough. */
export function keyOfShape(shape: Shape): string {
  const filters = Object.entries(shape.filters).map(([name, values]) => [name, values[0], values.length])
  return JSON.stringify({ ...shape, list: undefined, filters })
}

export const offsetOf = ({ page, limit }: Page): number => (page - 1) * limit

/**
 * How the database reads a page. Without a plan, the database decides.
 *
 * - `scan`: scans the list's order until enough records match.
 * - `sort`: finds all matches, then sorts.
 */
export type Plan = 'scan' | 'sort'

/** The ids of the users and of the records whose own columns match the search. A side without ids is unknown. */
export interface Matches {
  readonly users?: readonly string[] | undefined
  readonly records?: readonly string[] | undefined
}

/** The position of a page in the list. */
export interface Span<Value = number> {
  readonly skip: Value
  readonly take: Value
  /** Whether `skip` counts from the last record of the order. */
  readonly backwards: boolean
}

/** With the total, a page in the second half of the list is read from the oldest record. */
export function spanOf(page: Page, total = Number.POSITIVE_INFINITY): Span {
  const skip = offsetOf(page)
  const take = Math.max(0, Math.min(page.limit, total - skip))
  const rest = Math.max(0, total - skip - take)
  return rest < skip ? { skip: rest, take, backwards: true } : { skip, take, backwards: false }
}

/** The order in which a span is read. */
export const directionOf = (
  { direction }: Order,
  { backwards }: Pick<Span<unknown>, 'backwards'>
): Order['direction'] => ((direction === 'asc') === backwards ? 'desc' : 'asc')

type Paged = Pick<Question, 'reach' | 'page'>

/**
 * Whether one statement would be too slow, so that `plannedPage` finds the page. Other reaches read few records, and
 * where a searched column stands in some records only, no statement finds all ids that the column matches.
 */
export const needsPlan = (
  { list: { search }, reach, limited = {}, page, term }: Paged & Pick<Question, 'list' | 'limited' | 'term'>,
  planning: ListSql['planning']
): boolean =>
  isOfAll(reach) &&
  (term === undefined
    ? page > 1
    : (page > 1 || planning !== undefined) && ![...search.records, ...search.users].some((path) => limited[path]))

/** Whether a write could move a record: between two parts, or after the count of a page that is read from its end. */
export const canMove = ({ reach, page, parts }: Paged & Pick<Question, 'parts'>): boolean =>
  parts !== undefined || (isOfAll(reach) && page > 1)

export const needsSnapshot = (
  question: Paged & Pick<Question, 'parts'>,
  { snapshot }: Pick<RunSql, 'snapshot'>
): boolean => snapshot !== undefined && (snapshot.isFree || canMove(question))
