import t from 'tap'
import { hiddenColumns, hiddenFields } from '../../src/visibility/hidden-fields.js'
import { cases } from '../support/oracle/cases.js'

t.test('a role does not see the fields that are for other roles, and nor does a caller without a role', async (t) => {
  t.strictSame(hiddenFields(cases, 'Counsellor'), [])
  t.strictSame(hiddenFields(cases, 'Head'), ['minutes', 'called_at'])
  for (const role of ['Parent', 'Nobody', undefined]) {
    t.strictSame(hiddenFields(cases, role), ['notes', 'minutes', 'called_at'], String(role))
  }
})

t.test('the column of a hidden field is hidden, unless another field shows it', async (t) => {
  const { minutes } = cases.fields
  const fields = { ...cases.fields, length: minutes } as typeof cases.fields
  t.strictSame(hiddenColumns({ fields }, []), [])
  t.strictSame(hiddenColumns({ fields }, ['notes', 'minutes']), ['r.notes'])
  t.strictSame(hiddenColumns({ fields }, ['minutes', 'length']), ['r.minutes', 'r.minutes'])
})
