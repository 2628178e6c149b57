/** Builds the SQL of a request. The page and the total share one `from … where …` (contract 70). */
import { type RawBuilder, sql } from 'kysely'
import type { Row } from '../../database/cells.js'
import type { Condition, RecordKey } from '../../database/dialect.js'
import type { Path } from '../../lists/list.js'
import { isOwn } from '../../visibility/grants.js'
import type { CountedFilter } from '../../visibility/standing.js'
import { keyOf, type Plan, type Shape, type Span, sortsTexts } from '../asked/question.js'
import type { Fitted } from '../known/fitted-sql.js'
import { countsOf } from './counts.js'
import { filterConditions } from './filters.js'
import { cellName, flagName, recordGone, recordTied, recordTotal, sortKey, wholeCells } from './items.js'
import { fromPlace, placeConditions } from './place.js'
import { scopeOf, type Top } from './scope.js'
import { type Matches, type TermSearch, termSearch } from './search.js'
import { partConditions, reaching, standingOf, withinConditions } from './visibility.js'

/** A span of slots is for a statement that serves several requests. */
export interface PageOptions<Value = number> {
  readonly span: Span<Value>
  /** `skip` and `take` together. */
  readonly end?: Value
  readonly plan?: Plan | undefined
  /** Undefined if the matches were not read. */
  readonly matches?: Matches | undefined
  /** Whether each row contains the total. Cheap if all matches must be sorted anyway. */
  readonly withTotal?: boolean
  /** Where the page begins, if not where the question says. `unreachable`: the records that no key reaches. */
  readonly from?: RecordKey | 'unreachable' | undefined
  /** Leaves out the records after so many, which tell only that there are more. For a page whose end is a place. */
  readonly most?: number | undefined
  /** Whether ids that the database equates are sorted by their bytes, although this sorts every record. */
  readonly isTied?: boolean
  /** What is counted, too, if the database can count and read the page in one statement. */
  readonly beside?: { readonly total: boolean; readonly counts: readonly CountedFilter[] } | undefined
}

export interface Queries {
  page(options: PageOptions<unknown>): RawBuilder<Row>
  /** One row with `recordTotal`. */
  total(matches?: Matches): RawBuilder<Row>
  /** One row with the number of records of each value of a filter, without the condition of the filter itself. */
  counts(counted: CountedFilter, matches?: Matches): RawBuilder<Row>
  idsOf: TermSearch['idsOf']
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
 * The total: `select count(*) as "record total" from (assessments) as r [join …] [where …]`. For the reach `own`, the
 * total is cheap and is a cell of the page. With `withTotal`, the subquery selects `count(*) over () as total`.
 *
 * The page after a record: `where … and (r.created_at, r.id) < (<key>)`.
 *
 * A whole statement, in which an empty page has a row with the numbers, too:
 *
 *     with "page ids" as (…) select …fields, …numbers
 *     from (select 1) as one left join "page ids" as k on true left join …
 */
export function queriesOf(shape: Shape, fitted: Fitted): Queries {
  const { reach, partly, order } = shape
  const { list, tables, column, text, bytes, sortsWhole, sameIds, planning, limit, everyRow, whole } = fitted
  const table = sql`${tables.of(list.name).table} as r`
  const id = column(`r.${list.id}`)
  const isNumber = list.columns[order.column]?.rules.stored.isNumber
  const isPlaced = shape.from || shape.id
  const filtered = (asked: Shape) => {
    const compared = Object.keys(asked.filters).map((name): Path => `r.${list.filters[name]?.column}`)
    return [
      ...withinConditions(shape, fitted),
      ...filterConditions(asked, fitted),
      ...standingOf(asked, fitted, compared).flatMap(({ conditions }) => conditions),
      ...(asked.part ? partConditions(asked, asked.part, fitted) : [])
    ]
  }
  const searchOf = (asked: Shape) => termSearch(asked, fitted, filtered(asked))

  /** The records of a reach, the search and the filters. The page and its total share them. */
  const finding = (asked: Shape, use: 'page' | 'total' | 'cells') => {
    const scope = scopeOf(asked, fitted, use)
    const { matching } = searchOf(asked)
    const from = (matches: Matches = {}, plan?: Plan, place: readonly Condition[] = [], top?: Top) => {
      const found = shape.term ? [matching(matches, plan)] : []
      return scope.from([...found, ...filtered(asked), ...place], top)
    }
    return { ...scope, from }
  }
  const [scope, counting] = [finding(shape, 'page'), finding(shape, 'total')]
  // The count is text, because a driver may convert numbers.
  const counted = sql`${text(sql`count(*)`)} as ${sql.id(recordTotal)}`

  // Where the type of the id equates some, their bytes decide.
  const isAlike = !fitted.isExact(`r.${list.id}`)
  /** Whether a page is sorted by the bytes. On MySQL and MariaDB, only one that has found such ids. */
  const hasBytes = ({ most, isTied }: PageOptions<unknown>) => isAlike && most !== undefined && (isTied || !sortsWhole)
  const direction = sql.raw(order.direction)

  const idsOfPage = (options: PageOptions<unknown>) => {
    const { span, end, plan, matches, withTotal, from } = options
    const towards = sql.raw((order.direction === 'asc') === span.backwards ? 'desc' : 'asc')
    // Without the hint, MySQL and MariaDB may scan the records in this order although few match.
    const opaque = plan === 'sorted' && planning ? planning.opaque : undefined
    const { id, sorting } = scope
    // An ENUM would be sorted as a text, and not in its own order.
    const [first, second] = sortsTexts(shape) ? [sorting, opaque?.(id) ?? id] : [opaque?.(sorting) ?? sorting, id]
    const isSorted = hasBytes(options)
    const place = isPlaced || from ? placeConditions(shape, fitted, from, isSorted) : []
    const tie = isSorted ? sql`, ${bytes(id)} ${towards}` : nothing
    const found = scope.from(matches, plan, place, end === undefined ? end : { towards, end, hasBytes: isSorted })
    return sql`
      select ${id} as id, ${sorting} as sort_key ${withTotal ? sql`, count(*) over () as total` : nothing}
      ${found} order by ${first} ${towards}, ${second} ${towards}${tie} ${limit(span.take, span.skip)}`
  }

  /** The ids of a page, each with the one before. MariaDB computes no condition right that has a window. */
  const idsInPairs = (options: PageOptions<unknown>) => {
    const before = (name: string) =>
      sql`lag(${sql.ref(`k.${name}`)}) over (order by k.sort_key ${direction}, k.id ${direction})`
    return sql`select k.id, k.sort_key, ${before('id')} as id_before, ${before('sort_key')} as sort_before
      from (${idsOfPage(options)}) as k`
  }

  /** Whether the database equates the id with the one before, or with the one of the place where the page begins. */
  const isTiedCell = ({ from }: PageOptions<unknown>) => {
    const key = typeof from === 'object' ? keyOf(from) : shape.from
    const [id, sorting] = [sql.ref('k.id'), sql.ref('k.sort_key')]
    const place = key ? sql` or not ${fromPlace({ sorting, id }, order, key, fitted, true)}` : nothing
    const is = sql`(${sorting} = k.sort_before and ${id} = k.id_before)${place}`
    return sql`${text(sql`case when ${is} then 1 end`)} as ${sql.id(recordTied)}`
  }

  /** The database keeps back the cells that no grant of the record shows, and a flag tells them from nulls. */
  const shownCell = (name: string, cell: RawBuilder<unknown>) => {
    const grants = partly.find(({ fields }) => fields.includes(name))?.grants
    return grants ? sql`case when ${reaching(shape, fitted).isReached(grants)} then ${cell} end` : cell
  }
  const flags = partly.map(
    ({ fields: [name = ''] }, place) => sql`${shownCell(name, text(sql`1`))} as ${sql.id(flagName(place))}`
  )

  // The ids of two tenants can be the same.
  const sameRecord = sql.join([sameIds(`r.${list.id}`, 'k.id'), ...withinConditions(shape, fitted)], sql` and `)

  const cells = [
    ...flags,
    sql`${((isNumber && fitted.keyText) || text)(sql.ref('k.sort_key'))} as ${sql.id(sortKey)}`,
    // Under READ UNCOMMITTED, a record can be deleted between the subquery and the join.
    sql`case when ${id} is null then ${text(sql.ref('k.id'))} end as ${sql.id(recordGone)}`,
    ...Object.entries(list.fields).map(
      ([name, { column: path }], place) => sql`${shownCell(name, text(column(path)))} as ${sql.id(cellName(place))}`
    )
  ]
  const joins = Object.entries(list.joins).map(([alias, name]) => {
    const [id, reference] = name === 'practitioners' ? ['practitioner_id', list.practitioner] : ['user_id', list.owner]
    return sql`left join ${tables.of(name).table} as ${sql.id(alias)} on ${sameIds(`${alias}.${id}`, `r.${reference}`)}`
  })

  const counts: Queries['counts'] = (counted, matches) =>
    countsOf(counted, shape, fitted, (asked, isCopied) => {
      const { from, sorting } = finding(asked, isCopied ? 'cells' : 'total')
      return { records: from(matches), sorting }
    })

  const numbers = ({ span, beside, matches }: PageOptions<unknown>): RawBuilder<unknown>[] => {
    if (!whole)
      return isOwn(reach) && beside?.total ? [sql`(select ${counted} ${scope.from()}) as ${sql.id(recordTotal)}`] : []
    const size = sql`(select count(*) from ${pageIds})`
    // The database counts only if the page does not prove the total (see `provenTotal`).
    const isFull = sql`${size} in (${span.take}, case when cast(${span.skip} as bigint) > 0 then 0 end)`
    const total = sql`case when ${shape.from ? sql`true` : isFull} then (select ${text(sql`count(*)`)} ${counting.from(matches)}) end`
    return [
      sql`${text(size)} as ${sql.id(wholeCells.size)}`,
      ...(Number.isFinite(fitted.directLimit) ? [sql`${whole.settings} as ${sql.id(wholeCells.settings)}`] : []),
      ...(beside?.total ? [sql`${total} as ${sql.id(recordTotal)}`] : []),
      ...(beside?.counts ?? []).map(
        (each, place) => sql`${whole.json(counts(each, matches))} as ${sql.id(wholeCells.counts(place))}`
      )
    ]
  }

  return {
    total: (matches) => sql<Row>`select ${counted} ${counting.from(matches)}`,
    counts,
    idsOf: searchOf(shape).idsOf,
    page(options) {
      const { withTotal, most, isTied } = options
      const isUnsure = isAlike && sortsWhole && most !== undefined && !isTied
      const tie = hasBytes(options) ? sql`, ${bytes(sql.ref('k.id'))} ${direction}` : nothing
      const windowTotal = withTotal ? [sql`${text(sql.ref('k.total'))} as ${sql.id(recordTotal)}`] : []
      const tied = isUnsure ? [isTiedCell(options)] : []
      const selected = [...cells, ...tied, ...windowTotal, ...numbers(options)]
      const ids = sql`(${(isUnsure ? idsInPairs : idsOfPage)(options)})`
      const [first, from] = whole
        ? [sql`with ${pageIds} as ${ids} `, sql`(select 1) as one left join ${pageIds} as k on true`]
        : [nothing, sql`${ids} as k`]
      return sql`${first}select ${sql.join(selected)}
        from ${from} left join ${table} on ${sameRecord}
        ${sql.join(joins, sql` `)} order by k.sort_key ${direction}, k.id ${direction}${tie} ${everyRow}`
    }
  }
}
