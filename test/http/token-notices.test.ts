import t from 'tap'
import { serve } from '../support/server.js'
import { openWorld } from '../support/tables.js'
import { headersOf, token } from '../support/tokens.js'
import { admin } from '../support/world.js'

const db = await openWorld(t, 'sqlite')
const payload = { sub: '20', role: 'Admin' }
const right = headersOf(admin).authorization
const forged = `Bearer ${token(payload, {}, 'another key of at least thirty-two characters')}`
const otherAlgorithm = `Bearer ${token(payload, { alg: 'RS256' })}`
const expired = `Bearer ${token({ ...payload, exp: 1 })}`

const cases: [what: string, authorizations: string[], warnings: number][] = [
  ['three tokens with another signature, on both lists', [forged, forged, forged, forged, forged, forged], 1],
  ['tokens with another algorithm', [otherAlgorithm, forged, otherAlgorithm], 1],
  ['two of them', [forged, forged], 0],
  ['many of them after a right one', [right, forged, forged, forged, forged], 0],
  ['a right one among them', [forged, forged, right, forged], 0],
  ['tokens that are expired, malformed or missing', [expired, expired, expired, 'Bearer x', 'Bearer x.y.z', ''], 0]
]

for (const [what, authorizations, warnings] of cases) {
  t.test(`the log warns ${warnings === 0 ? 'of no' : 'once of a'} wrong secret: ${what}`, async (t) => {
    const { get, lines, texts } = await serve(t, { db }, { log: 'warn' })
    for (const [index, authorization] of authorizations.entries()) {
      const path = index % 2 === 0 ? '/payment/list' : '/assessment/list?search='
      const { status } = await get(path, { headers: { authorization } })
      t.equal(status, authorization === right ? 200 : 401)
    }
    t.equal(lines.length, warnings)
    for (const { level, msg } of lines) {
      t.equal(level, 40)
      t.match(msg, /^The first 3 tokens have another signature, and none was accepted yet: compare the 'secret' and /)
    }
    for (const authorization of authorizations.filter(Boolean)) {
      t.notMatch(texts.join(), authorization.split('.').at(-1) ?? '', 'no part of a token')
    }
  })
}
