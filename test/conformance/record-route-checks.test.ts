import t from 'tap'
import { problemsOf } from '../support/fixtures/tasks-conformance.js'

type Body = Record<string, unknown>

t.test('one record is its item, and what the list does not show is one 404', async (t) => {
  t.strictSame(await problemsOf(t, 'record'), [])
  const other = (body: Body) => (body.task ? { ...body, task: { ...body.task, size: 99 } } : body)
  t.match(await problemsOf(t, 'record', other), [
    /^tasks: one record is .*\/task\/\d+\? .*: the record differs from its item in GET/
  ])
  const hidden = (body: Body) => (body.task ? { status: 404, error: 'No such task.' } : body)
  t.match(await problemsOf(t, 'record', hidden), [
    /\/task\/\d+\? as Admin: expected the record, got 404 'No such task\.'\.$/
  ])
  const told = (body: Body) => (body.status === 404 ? { ...body, error: 'Not yours.' } : body)
  const expected = 'expected {"status":404,"error":"No such task."}, because the list does not show'
  t.match((await problemsOf(t, 'record', told)).join(), `: ${expected} Admin this record.`)
})

t.test('a server that gives every record to every caller is found with a caller who sees all', async (t) => {
  const given = (body: Body, url: string) =>
    body.status === 404 && /\/task\/\d/.test(url) ? { status: 'success', message: 'Task found.', task: {} } : body
  t.match(await problemsOf(t, 'record', given), [
    /\/task\/\d+\? as Owner: expected \{"status":404,.*, because the list does not show Owner this record\.$/
  ])
  t.strictSame(await problemsOf(t, 'record', given, { roles: ['Owner'] }), [], 'nobody knows the other records')
})

t.test('a record that the check has not read among those of a caller may still be theirs', async (t) => {
  t.strictSame(await problemsOf(t, 'record', undefined, { maxLimit: 1 }), [])
})
