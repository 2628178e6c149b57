import t from 'tap'
import type { RoleReach } from '../../src/lists/roles.js'
import { isEverything, isLinked, isOfAll, isOwn, isWithin, united } from '../../src/visibility/grant.js'
import { reachOf } from '../../src/visibility/reach-of-role.js'

t.test('only a reach without ids is one of all, only two plain parts are linked, and only one id is own', async (t) => {
  const list = { owner: 'user_id' }
  const where = { state: 'open' }
  const of = (given: RoleReach) => {
    const reach = reachOf(given, list)
    return [isOfAll(reach), isLinked(reach), isOwn(reach), isEverything(reach)].map(Number).join('')
  }
  t.equal(of('all'), '1001')
  t.equal(of({ where }), '1000')
  t.equal(of('linked'), '0100')
  t.equal(of('own'), '0010')
  t.equal(of({ own: 'user_id', where }), '0010')
  t.equal(of({ own: 'user_id', callerId: 'parent' }), '0010')
  t.equal(of([{ linked: 'user_id' }, { own: 'user_id' }]), '0100')
  for (const given of [
    'none',
    [{ linked: 'user_id', where }, { own: 'user_id' }],
    [{ linked: 'user_id' }, { own: 'user_id', callerId: 'parent' }],
    [{ linked: 'user_id' }, { own: 'user_id' }, { own: 'id' }],
    [{ linked: 'user_id', by: 'staff' }, { own: 'user_id' }],
    [{ own: 'user_id' }, { linked: 'user_id' }],
    [{ where }, { own: 'user_id' }]
  ] as const) {
    t.equal(of(given), '0000', JSON.stringify(given))
  }
})

t.test('a grant is left out if another one gives its records and its fields, too', async (t) => {
  const own = { column: 'user_id' }
  const notes = { hides: ['notes'] }
  t.strictSame(united([]), [])
  t.strictSame(united([own, { column: 'coach_id' }, own]), [own, { column: 'coach_id' }])
  t.strictSame(united([own, {}, { where: [['state', ['open']]] }]), [{}])
  t.strictSame(united([{ ...own, ...notes }, own]), [own], 'with a field less')
  t.strictSame(united([{ hides: ['notes', 'price'] }, { ...own, ...notes }, notes]), [notes])
  const others = [notes, own, { column: 'user_id', callerId: 'parent' }, { hides: ['price'] }]
  t.strictSame(united(others), others, 'each gives something of its own')
  t.ok(isWithin({ ...own, ...notes }, [own]), 'whatever both hide')
  t.ok(isWithin(own, [{ where: [['state', ['open']]] }, notes]))
  t.notOk(isWithin(own, [{ column: 'user_id', callerId: 'parent' }]))
  t.notOk(isWithin({}, [own]))
})
