import t from 'tap'
import type { KindRules } from '../../src/kinds/kind.js'
import { makers } from '../support/oracle/cells.js'

t.test('a kind has what its uses need, and an example of each notation that it reads', async (t) => {
  for (const [name, make] of Object.entries(makers)) {
    const { uses, equals, range, sortedBy, notation }: KindRules = make().rules
    const isFor = (...some: typeof uses) => some.some((use) => uses.includes(use))
    t.equal(equals !== undefined, isFor('equal', 'several'), `${name}: equal and several`)
    t.equal(range !== undefined, isFor('order', 'range'), `${name}: range`)
    t.equal(sortedBy !== undefined, isFor('id', 'sort'), `${name}: sort`)
    if (range) t.ok(notation, `${name}: the ends of a range`)
    for (const example of notation?.examples ?? []) t.ok(notation?.read(String(example)), `${name}: ${example}`)
  }
})
