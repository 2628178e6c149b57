/** The statement of a page: the records, and on PostgreSQL the numbers beside them. */
import { type RawBuilder, sql } from 'kysely'
import type { Row } from '../../database/cells.js'
import { Slot } from '../../database/parameter.js'
import { isOwn } from '../../visibility/grant.js'
import type { CountedFilter } from '../../visibility/partial-columns.js'
import { directionOf, type Matches, type Plan, type Shape, type Span } from '../asked/question.js'
import type { Fitted } from '../fitted/fitted-sql.js'
import { countsSql } from './counts.js'
import { cellName, flagName, type ReadPage, recordGone, recordTotal, sortKey, toItems, wholeCells } from './items.js'
import { orderBy, placeConditions, sortedCells } from './order.js'
import { recordsOf, totalCell, totalOf } from './records.js'
import type { Statement } from './statement.js'
import { keyWith } from './statement-cache.js'
import { type Ending, idsInPairs, sortsBytes, tiedCells } from './ties.js'
import { reaching, withinConditions } from './visibility.js'

/** A span of slots is for a statement that serves several requests. */
export interface PageOptions<Value = number> extends Ending {
  readonly span: Span<Value>
  /** `skip` and `take` together. */
  readonly end?: Value
  readonly plan?: Plan | undefined
  /** Undefined if the matches were not read. */
  readonly matches?: Matches | undefined
  /** Whether each row contains the total. Cheap if all matches must be sorted anyway. */
  readonly windowTotal?: boolean
  /** What is counted, too, if the database can count and read the page in one statement. */
  readonly beside?: { readonly total: boolean; readonly counts: readonly CountedFilter[] } | undefined
}

const slots = { skip: new Slot('skip'), take: new Slot('take') }
const end = new Slot('end')

export function pageOf(options: PageOptions): Statement<ReadPage> {
  const { span, plan, matches, windowTotal, beside, after, most, isTied } = options
  const numbers = beside && JSON.stringify(beside)
  const parts = ['page', span.backwards, plan, windowTotal, numbers, after, most !== undefined, isTied]
  return {
    step: 'page',
    key: typeof after === 'object' ? undefined : keyWith(matches, ...parts),
    values: { ...span, end: span.skip + span.take },
    sql: (shape, fitted) => pageSql(shape, fitted, { ...options, end, span: { ...span, ...slots } }),
    read: (rows, readCell, question) => toItems(question, rows, readCell, most)
  }
}

const nothing = sql``
/** The ids of a page in a whole statement. A table of the host by this name would be hidden, so it is an unlikely one. */
const pageIds = sql.id('page ids')

/**
 * The page of a list, such as newest first. The subquery finds the ids, so only the records of the page are joined:
 *
 *     select …fields from (
 *       select r.id, r.created_at as sort_key from (assessments) as r [join (visible ids) as v on …] [where …]
 *       order by r.created_at desc, r.id desc limit 12 offset 0
 *     ) as k left join (assessments) as r on r.id = k.id left join (users) as u on u.user_id = r.user_id …
 *     order by k.sort_key desc, k.id desc limit 9007199254740991
 *
 * For the reach `own`, the total is cheap and is a cell of the page. With `windowTotal`, the subquery selects
 * `count(*) over () as total`. The page after a record: `where … and (r.created_at, r.id) < (<key>)`.
 *
 * A whole statement, in which an empty page has a row with the numbers, too:
 *
 *     with "page ids" as (…) select …fields, …numbers
 *     from (select 1) as one left join "page ids" as k on true left join …
 */
export function pageSql(shape: Shape, fitted: Fitted, options: PageOptions<unknown>): RawBuilder<Row> {
  const { list, tables, text, bytes, sameIds, everyRow, whole } = fitted
  const tied = tiedCells(shape, fitted, options)
  const page = idsOfPage(shape, fitted, options)
  const ids = sql`(${tied.length > 0 ? idsInPairs(shape, page) : page})`
  const counted = options.windowTotal ? [sql`${text(sql.ref('k.total'))} as ${sql.id(recordTotal)}`] : []
  const selected = [...cellsOf(shape, fitted), ...tied, ...counted, ...numbersOf(shape, fitted, options)]
  // The ids of two tenants can be the same.
  const sameRecord = sql.join([sameIds(`r.${list.id}`, 'k.id'), ...withinConditions(shape, fitted)], sql` and `)
  const joins = Object.entries(list.joins).map(([alias, name]) => {
    const [id, reference] = name === 'practitioners' ? ['practitioner_id', list.practitioner] : ['user_id', list.owner]
    return sql`left join ${tables.of(name).table} as ${sql.id(alias)} on ${sameIds(`${alias}.${id}`, `r.${reference}`)}`
  })
  const tie = sortsBytes(fitted, options) ? [bytes(sql.ref('k.id'))] : []
  const order = orderBy(shape.order.direction, [sql`k.sort_key`, sql`k.id`, ...tie])
  const [first, from] = whole
    ? [sql`with ${pageIds} as ${ids} `, sql`(select 1) as one left join ${pageIds} as k on true`]
    : [nothing, sql`${ids} as k`]
  return sql`${first}select ${sql.join(selected)}
    from ${from} left join ${tables.of(list.name).table} as r on ${sameRecord}
    ${sql.join(joins, sql` `)} ${order} ${everyRow}`
}

/** `select r.id as id, r.created_at as sort_key … order by r.created_at desc, r.id desc limit 12 offset 0` */
function idsOfPage(shape: Shape, fitted: Fitted, options: PageOptions<unknown>): RawBuilder<unknown> {
  const { span, end, plan, matches, windowTotal, after } = options
  const { bytes, limit } = fitted
  const { id, sorting, ...records } = recordsOf(shape, fitted, 'page')
  const isSorted = sortsBytes(fitted, options)
  const direction = directionOf(shape.order, span)
  const sorted = [...sortedCells(shape, fitted, { sorting, id }, plan), ...(isSorted ? [bytes(id)] : [])]
  const place = placeConditions(shape, fitted, after, isSorted)
  const top = end === undefined ? undefined : { direction, hasBytes: isSorted, end }
  return sql`
    select ${id} as id, ${sorting} as sort_key ${windowTotal ? sql`, count(*) over () as total` : nothing}
    ${records.from(matches, plan, place, top)} ${orderBy(direction, sorted)} ${limit(span.take, span.skip)}`
}

function cellsOf(shape: Shape, fitted: Fitted): RawBuilder<unknown>[] {
  const { partly, order } = shape
  const { list, column, text } = fitted
  /** The database keeps back the cells that no grant of the record shows, and a flag tells them from nulls. */
  const shownCell = (name: string, cell: RawBuilder<unknown>) => {
    const grants = partly.find(({ fields }) => fields.includes(name))?.grants
    return grants ? sql`case when ${reaching(shape, fitted).isReached(grants)} then ${cell} end` : cell
  }
  const isNumber = list.columns[order.column]?.rules.stored.isNumber
  return [
    ...partly.map(
      ({ fields: [name = ''] }, place) => sql`${shownCell(name, text(sql`1`))} as ${sql.id(flagName(place))}`
    ),
    sql`${((isNumber && fitted.keyText) || text)(sql.ref('k.sort_key'))} as ${sql.id(sortKey)}`,
    // Under READ UNCOMMITTED, a record can be deleted between the subquery and the join.
    sql`case when ${column(`r.${list.id}`)} is null then ${text(sql.ref('k.id'))} end as ${sql.id(recordGone)}`,
    ...Object.entries(list.fields).map(
      ([name, { column: path }], place) => sql`${shownCell(name, text(column(path)))} as ${sql.id(cellName(place))}`
    )
  ]
}

function numbersOf(
  shape: Shape,
  fitted: Fitted,
  { span, beside, matches }: PageOptions<unknown>
): RawBuilder<unknown>[] {
  const { text, whole, directLimit } = fitted
  if (!whole) {
    const isCheap = isOwn(shape.reach) && beside?.total
    return isCheap ? [sql`(${totalOf().sql(shape, fitted)}) as ${sql.id(recordTotal)}`] : []
  }
  const size = sql`(select count(*) from ${pageIds})`
  // The database counts only if the page does not prove the total (see `provenTotal`).
  const isFull = sql`${size} in (${span.take}, case when cast(${span.skip} as bigint) > 0 then 0 end)`
  const total = () =>
    sql`case when ${shape.after ? sql`true` : isFull} then ${totalCell(shape, fitted, matches)} end as ${sql.id(recordTotal)}`
  return [
    sql`${text(size)} as ${sql.id(wholeCells.size)}`,
    ...(Number.isFinite(directLimit) ? [sql`${whole.settings} as ${sql.id(wholeCells.settings)}`] : []),
    ...(beside?.total ? [total()] : []),
    ...(beside?.counts ?? []).map(
      (each, place) =>
        sql`${whole.json(countsSql(each, shape, fitted, matches))} as ${sql.id(wholeCells.counts(place))}`
    )
  ]
}
