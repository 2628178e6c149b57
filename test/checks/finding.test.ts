import t from 'tap'
import { formatFindings } from '../../src/index.js'

t.test('findings are grouped by what to do, and indexes can be pasted', async (t) => {
  t.equal(formatFindings([]), 'The database fits the lists.')
  t.equal(
    formatFindings([
      { level: 'warning', remedy: 'indexes', text: 'create index a on b (c);' },
      { level: 'warning', remedy: 'data', text: 'One.' },
      { level: 'error', remedy: 'tables', text: 'Two.' },
      { level: 'info', remedy: 'unchecked', text: 'Four.' },
      { level: 'warning', remedy: 'tables', text: 'Three.' }
    ]),
    `Fix the \`tables\` option or the database:
- Two.
- (warning) Three.
Fix the data, or map the values in the \`tables\` option:
- (warning) One.
Create these indexes, or pages take long where there are many records:
create index a on b (c);
What the check could not tell:
- Four.`
  )
})
