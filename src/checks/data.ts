/** Can the data be read? Looks at the newest records and at the values of closed sets. */
import { sql } from 'kysely'
import { failureOf } from '../errors.js'
import { GarbledRows, itemsOf } from '../items.js'
import type { List } from '../list.js'
import { lists } from '../lists.js'
import { planOf } from '../plan.js'
import { textOf } from '../send.js'
import { unknownTraits } from '../traits.js'
import type { Finding } from './finding.js'
import type { Subject } from './subject.js'

/** Milliseconds for a look at the data. What takes longer is left alone: a check must not hold up a start. */
const glance = 200

export async function checkData(subject: Subject): Promise<Finding[]> {
  const checks = lists.flatMap((list) => [() => newest(subject, list), () => closedSets(subject, list)])
  const findings: Finding[] = []
  for (const check of checks) {
    const problems = await check().catch((error) => {
      const { kind, message } = failureOf(error)
      // what takes too long is not wrong, and settings.ts has told of drivers that change text
      return kind === 'internal' && !(error instanceof GarbledRows) ? [message] : []
    })
    findings.push(...problems.map((text): Finding => ({ level: 'warning', remedy: 'data', text })))
  }
  return findings
}

async function newest({ source, ask }: Subject, list: List): Promise<string[]> {
  const page = { page: 1, limit: 12 }
  const question = {
    reach: 'all',
    caller: { userId: '0', role: '' },
    parameters: {},
    page,
    traits: unknownTraits
  } as const
  itemsOf(list, await ask(planOf(list, question, source, source.dialect).page, glance))
  return []
}

/** Values that a column of few values must not have: each of its records is an error. */
async function closedSets({ source, ask }: Subject, list: List): Promise<string[]> {
  const problems: string[] = []
  for (const { column, schema } of Object.values(list.fields)) {
    const allowed: unknown = schema.enum
    if (!Array.isArray(allowed)) continue
    const [, name = ''] = column.split('.')
    const rows = await ask(
      sql`select ${source.dialect.text(sql.ref('x.value'))} as value from (
      select distinct ${sql.ref(column)} as value from ${source.relation(list.records)} as r) as x limit 100`,
      glance
    )
    const others = rows.map(({ value }) => textOf(value)).filter((value) => !allowed.includes(value))
    if (others.length > 0) {
      problems.push(
        `${list.records}.${name} is ${others.slice(0, 8).join(', ')} in some records, which are then an error: map it to ${allowed.join(', ')}.`
      )
    }
  }
  return problems
}
