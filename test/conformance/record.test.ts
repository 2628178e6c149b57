import t from 'tap'
import { problemsOf } from '../support/tasks-conformance.js'

t.test('one record is its item, and what the list does not show is one 404', async (t) => {
  t.strictSame(await problemsOf(t, 'record'), [])
  const other = (body: Record<string, unknown>) => ({
    ...body,
    ...(body.task ? { task: { ...body.task, size: 99 } } : {})
  })
  t.match(await problemsOf(t, 'record', other), [
    /^tasks: one record is .*\/task\/\d+\? .*: the record differs from its item in GET/
  ])
  const hidden = (body: Record<string, unknown>) => (body.task ? { status: 404, error: 'No such task.' } : body)
  t.match(await problemsOf(t, 'record', hidden), [/expected the record, got 200 'No such task\.'|differs/])
  const told = (body: Record<string, unknown>) => (body.status === 404 ? { ...body, error: 'Not yours.' } : body)
  t.match(await problemsOf(t, 'record', told), [
    /expected \{"status":404,"error":"No such task\."\}, because the list does not show/
  ])
})
