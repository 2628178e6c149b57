/** Invalid tokens of every kind. They are made by hand, because signing libraries refuse to make them. */
import { createHmac } from 'node:crypto'
import { type Caller, secret } from './server.js'

const encode = (value: unknown) =>
  Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url')

/** A JWT that is always signed with HMAC and SHA-256, regardless of its header. */
export function token(payload: unknown, header: Record<string, unknown> = {}, key: string = secret): string {
  const head = `${encode({ alg: 'HS256', typ: 'JWT', ...header })}.${encode(payload)}`
  return `${head}.${createHmac('sha256', key).update(head).digest('base64url')}`
}

/** The token of a caller. */
export const tokenOf = ({ userId, role }: Caller): string => token({ sub: String(userId), role })

/** The headers that authenticate a caller. */
export const headersOf = (caller: Caller) => ({ authorization: `Bearer ${tokenOf(caller)}` })

const now = Math.floor(Date.now() / 1000)
const admin = { sub: '20', role: 'Admin', iat: now }
const good = token(admin)
const [head, payload, signature] = good.split('.') as [string, string, string]

/** Invalid values of the Authorization header by their mistake. Undefined means no header. */
export const badAuthorizations: Record<string, string | undefined> = {
  'no header': undefined,
  'no scheme': good,
  'the scheme alone': 'Bearer',
  'another scheme': `Basic ${good}`,
  'two tokens': `Bearer ${good} ${good}`,
  'no dots': 'Bearer abc',
  'two parts': `Bearer ${head}.${payload}`,
  'another signature': `Bearer ${head}.${payload}.${signature.replace(/./, (first) => (first === 'A' ? 'B' : 'A'))}`,
  'another payload': `Bearer ${head}.${encode({ ...admin, sub: '21' })}.${signature}`,
  'another key': `Bearer ${token(admin, {}, 'another key of at least thirty-two characters')}`,
  'alg none': `Bearer ${encode({ alg: 'none', typ: 'JWT' })}.${payload}.`,
  'another hash than it says': `Bearer ${token(admin, { alg: 'HS512' })}`,
  'an unknown critical header': `Bearer ${token(admin, { crit: ['exp2'], exp2: 1 })}`,
  expired: `Bearer ${token({ ...admin, exp: now - 1 })}`,
  'not yet active': `Bearer ${token({ ...admin, nbf: now + 3600 })}`,
  'a payload that is an array': `Bearer ${token([admin])}`,
  'a payload that is null': `Bearer ${token(null)}`,
  'a control character': `Bearer ${good}\u0001`,
  'letters beyond ASCII': `Bearer ${good}é`,
  'a very long one': `Bearer ${'a'.repeat(10_000)}`
}
