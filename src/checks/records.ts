/** Checks the records of each list, the newest and the oldest among them. */
import { type Row, type Text, textOf } from '../database/cells.js'
import { failureOf } from '../errors/classify.js'
import type { Field, List } from '../lists/list.js'
import { fittedOf } from '../question/fitted.js'
import { cellName, recordGone, toItems } from '../question/items.js'
import { queriesOf } from '../question/queries.js'
import { shapeOf } from '../question/question.js'
import { driverSays } from './columns.js'
import { type CheckedDatabase, dataTimeout, textFor } from './database.js'
import { enumValues } from './enums.js'
import { idsDiffer } from './explain.js'
import { type DatabaseFinding, finding } from './finding.js'
import { repeatedRows } from './repeated.js'

export async function checkData(database: CheckedDatabase): Promise<DatabaseFinding[]> {
  const findings: DatabaseFinding[] = []
  for (const list of database.lists) {
    for (const check of [enumValues, repeatedRows, bothEnds]) {
      const found = await check(database, list).catch((error) => [misreading(list, error)])
      findings.push(...found)
    }
  }
  // Both lists read the users.
  return [...new Map(findings.map((found) => [found.text, found])).values()]
}

/** The finding of a statement that fails. */
function misreading(list: List, error: unknown): DatabaseFinding {
  const { kind, facts } = failureOf(error)
  if (kind !== 'internal') throw error
  // PostgreSQL reports different collations only when the statement runs.
  if (facts.code === '42P22') return finding('error', 'tables', `${idsDiffer(list)}; ${driverSays(error)}`)
  // A driver's message can hold values.
  const code = facts.code ? ` (error ${facts.code})` : ''
  return finding('warning', 'data', `Some ${list.name} cannot be read${code}, and pages with such records fail.`)
}

/** As many records as the largest page has, at both ends of the list. */
async function bothEnds(database: CheckedDatabase, list: List): Promise<DatabaseFinding[]> {
  const { dialect, tables, ask, maxLimit } = database
  // `enumValues` checks the columns of the kind enum.
  const isEnum = ({ column }: Field) => column.startsWith('r.') && list.columns[column.slice(2)]?.values
  const fields = Object.fromEntries(Object.entries(list.fields).filter(([, field]) => !isEnum(field)))
  const shown = { ...list, fields }
  const { page } = queriesOf(
    shapeOf({ list: shown, order: list.order, reach: 'all', caller: { userId: '', role: '' }, filters: {} }),
    fittedOf(shown, tables, { ...dialect, text: textFor(dialect) })
  )
  const idCell = cellName(Object.keys(fields).indexOf(list.id))
  /** What is wrong with each record. */
  const records = new Map<Text, string | undefined>()
  let isWhole = true
  // Null and zero dates are the oldest records, except nulls in PostgreSQL, which are the newest.
  for (const end of ['newest', 'oldest']) {
    const span = { skip: 0, take: maxLimit, backwards: end === 'oldest' }
    const rows = await ask(`the ${end} ${list.name}`, page({ plan: 'optimizer', span }), dataTimeout)
    isWhole &&= rows !== undefined
    for (const row of rows ?? []) records.set(textOf(row[recordGone]) ?? textOf(row[idCell]), problemOf(row, shown))
  }
  const [example, ...others] = [...records.values()].filter((problem) => problem !== undefined)
  if (example === undefined) return []
  const count = others.length + 1
  const share = `${count} of ${records.size} ${list.name} at the ends of the list cannot be shown, and pages with them fail.`
  // One odd record must not stop the next boot.
  const level = isWhole && count === records.size && count > 1 ? 'error' : 'warning'
  return [finding(level, 'data', `${share} For example: ${example}`)]
}

function problemOf(row: Row, list: List): string | undefined {
  try {
    const { items } = toItems({ list, order: list.order }, [row], textOf)
    return items.length > 0 ? undefined : `${list.name}.${list.id} changes between two reads of one statement.`
  } catch (error) {
    return failureOf(error).message
  }
}
