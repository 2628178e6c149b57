import t from 'tap'
import { run } from '../support/fixtures/definition-code.js'

t.test('a list may have no search and no filters, and an extended one another text about its search', async (t) => {
  const { query, search, filters } = run('search: ; filters: ')
  t.strictSame([Object.keys(query.properties), filters], [['page', 'limit'], {}])
  t.match(search, { records: [], users: [] })
  const list = run("extend: { search: { description: 'In the title.' } }")
  t.match(list.query.properties.search, { description: 'In the title.', examples: ['aid'] })
  const searched = run("search: ; extend: { search: { columns: ['title'], examples: ['aid'] } }")
  t.match(searched.search, { records: ['r.title'], users: [] })
  t.ok(searched.query.properties.search)
})
