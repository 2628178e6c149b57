/** Random lists with all that a definition can say, on random data, against an oracle that runs no code of `src`. */
import t from 'tap'
import { seed, tell, times } from '../reliability/sizes.js'
import type { Counts } from '../support/oracle/random-counts.js'
import { tryList } from '../support/oracle/random-trial.js'
import { tryWalks } from '../support/oracle/random-walk.js'
import { onDatabases } from '../support/servers/databases.js'

// A long run has 10,000 requests on each database.
t.setTimeout(3_600_000)

const sizes = {
  sqlite: { lists: times(40, 40, 140), requests: 75 },
  mysql: { lists: times(8, 40, 200), requests: 50 },
  postgres: { lists: times(8, 40, 200), requests: 50 }
}

onDatabases(t, 'random lists give what the oracle expects', async (t, database) => {
  const { lists, requests } = sizes[database]
  const counts: Counts = new Map()
  let broken = 1
  try {
    for (let at = 0; at < lists; at++) {
      const allows = (variant: string) => variant !== 'partial-zero-date'
      await tryList({ seed: seed + at, database, requests, counts, allows, isLarge: at === lists - 1 })
    }
    broken = 0
  } finally {
    const what = `requests against the oracle on ${database}: rows leaked, lost or out of order`
    tell({ what, tried: counts.get('requests') ?? 0, broken })
  }
  // A few lists may have no role without reach. Among forty, chance is out of the question.
  const seen = [': 200', ': 200 with records', ': 400', ...(lists >= 40 ? [': 403'] : [])]
  for (const status of seen) t.ok(counts.get(`requests${status}`), status)
})

onDatabases(t, 'random walks have each record once, in its place', async (t, database) => {
  const lists = database === 'sqlite' ? 6 : 3
  const first = Date.now() % 2 ** 30
  const counts: Counts = new Map()
  for (let at = 0; at < lists; at++) await tryWalks({ seed: first + at, database, walks: 6, counts })
  t.ok(Number(counts.get('pages')) > lists * 6, `several pages, from the seed ${first}`)
})
