import t from 'tap'
import { createListings } from '../../../src/index.js'
import { courses } from '../../support/fixtures/courses.js'
import { execute } from '../../support/oracle/check.js'
import { onDatabases, openDatabase } from '../../support/servers/databases.js'

/** Ids of several alphabets, and some that a collation may equate. */
const oddIds = [
  ...Array.from({ length: 20 }, (_, place) => `kurs-köln-${String.fromCharCode(97 + place)}-2026`),
  ...Array.from({ length: 20 }, (_, place) => `ΚΥΚΛΟΣ ${String.fromCodePoint(0x3b1 + place)}`),
  ...[
    'abc',
    'ABC',
    'Abc',
    'aBC',
    'ábc',
    'Ábc',
    'ab-c',
    'a b c',
    'x٣',
    'x3',
    'æ7',
    'ae7',
    'ﬁ',
    'fi',
    'FI',
    '日本',
    '🙂',
    '🙃'
  ]
]

onDatabases(t, 'a walk has each record once, whatever the collation makes of the ids', async (t, name) => {
  const statements: string[] = []
  const db = await openDatabase(t, name, { onQuery: ({ sql }) => statements.push(sql) })
  await execute(
    db,
    `create table courses (id varchar(60), owner_id bigint, helper_id bigint, seats int, title varchar(20), shown ${name === 'postgres' ? 'boolean' : 'int'}, day date)`,
    'create table users (user_id bigint primary key, first_name text, last_name text, email text, avatar_url text)'
  )
  await db
    .insertInto('courses')
    .values(
      oddIds.map((id, place) => ({
        ...{ id, owner_id: 7, helper_id: place % 2 === 0 ? 7 : 8, seats: 20, title: place % 3 === 0 ? null : 'Yoga' },
        ...{ shown: name === 'postgres' ? place % 2 === 0 : Number(place % 2 === 0), day: '2026-03-01' }
      }))
    )
    .execute()
  const { find, each } = createListings({ db: db as never, resolveRole: () => null, lists: [courses] })
  for (const role of ['Admin', 'Both'] as const) {
    const caller = { userId: 7, role }
    for (const query of [{}, { sort: 'seats' }, { sort: '-title' }, { shown: true }] as const) {
      const expected = oddIds.filter((_, place) => !('shown' in query) || place % 2 === 0).toSorted()
      for (const limit of [1, 3, 7, 50]) {
        const walked: string[] = []
        for (let after: string | null | undefined = null; after !== undefined; ) {
          const page: { items: { id: string }[]; next: string | null } = await find('courses', {
            caller,
            query: { ...query, limit, after }
          })
          walked.push(...page.items.map(({ id }) => id))
          t.ok(Number(page.next?.length ?? 0) < 200)
          after = page.next ?? undefined
          if (walked.length > 2 * oddIds.length) break
        }
        t.strictSame(walked.toSorted(), expected, `${role} ${JSON.stringify(query)}, pages of ${limit}`)
      }
      const all: string[] = []
      for await (const { id } of each('courses', { caller, query })) all.push(id)
      t.strictSame(all.toSorted(), expected, `each of ${role} ${JSON.stringify(query)}`)
    }
  }
})
