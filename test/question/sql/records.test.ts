import t from 'tap'
import { payments } from '../../../src/lists/ready/payments.js'
import { shapeOf } from '../../../src/question/asked/question.js'
import { countsSql } from '../../../src/question/sql/counts.js'
import { pageSql } from '../../../src/question/sql/page.js'
import { recordsOf, totalCell, totalOf } from '../../../src/question/sql/records.js'
import { onDatabases } from '../../support/servers/databases.js'
import { questionFor, sessionOf, unfittedFor, withoutDatabase } from '../../support/servers/session.js'

onDatabases(t, 'a page, its total and its counts find the same records', async (t, name) => {
  const session = sessionOf(withoutDatabase(name))
  const fitted = unfittedFor(session)
  const parameters = { search: 'ann', processor_status: 'paid' }
  const textOf = (built: ReturnType<typeof totalCell>) =>
    session
      .compile(built as never)
      .sql.replaceAll(/["`]|\$\d+/g, '')
      .replaceAll(/\s+/g, ' ')
  for (const reach of ['own', 'linked', 'all'] as const) {
    const shape = shapeOf(questionFor({ reach, userId: '7', parameters }))
    const found = textOf(recordsOf(shape, fitted, 'total').from()).trim()
    t.match(found, /^from .*payments as r .*payment_intent.*processor_status/, reach)
    const { processor_status: _, ...filters } = shape.filters
    const unfiltered = textOf(recordsOf({ ...shape, filters }, fitted, 'total').from()).trim()
    const counted = { filter: 'processor_status', reach: shape.reach }
    const statements = {
      total: textOf(totalOf().sql(shape, fitted)),
      cell: textOf(totalCell(shape, fitted)),
      page: textOf(pageSql(shape, fitted, { span: { skip: 0, take: 12, backwards: false } }))
    }
    t.ok(statements.total.endsWith(found), `the total of ${reach}`)
    t.ok(statements.cell.endsWith(`${found})`), `the total of ${reach} as a cell`)
    t.ok(reach === 'linked' || statements.page.includes(found), `the page of ${reach}`)
    const { counted: _values = [], ...filter } = payments.filters.processor_status ?? {}
    const list = { ...payments, filters: { ...payments.filters, processor_status: { ...filter, counted: ['paid'] } } }
    const counts = countsSql(counted, shape, { ...fitted, list: list as never })
    t.ok(reach === 'linked' || textOf(counts).endsWith(unfiltered), `the counts of ${reach}`)
  }
})
