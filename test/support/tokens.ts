/** Invalid tokens of every kind. They are made by hand, because signing libraries refuse to make them. */
import { createHmac, generateKeyPairSync, sign } from 'node:crypto'
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

// A short key takes no time to make.
const rsa = generateKeyPairSync('rsa', { modulusLength: 512 })
const rsaHead = `${encode({ alg: 'RS256', typ: 'JWT' })}.${encode(admin)}`

/** Invalid values of the Authorization header by their mistake. Undefined means no header. */
export const badAuthorizations: Record<string, string | undefined> = {
  'no header': undefined,
  'an empty header': '',
  'no scheme': good,
  'the scheme alone': 'Bearer',
  'the scheme and a space': 'Bearer ',
  'another scheme': `Basic ${good}`,
  'two tokens': `Bearer ${good} ${good}`,
  'a comma': `Bearer ${good},`,
  'no dots': 'Bearer abc',
  'dots only': 'Bearer ..',
  'two parts': `Bearer ${head}.${payload}`,
  'four parts': `Bearer ${good}.abc`,
  'an empty signature': `Bearer ${head}.${payload}.`,
  'another signature': `Bearer ${head}.${payload}.${signature.replace(/./, (first) => (first === 'A' ? 'B' : 'A'))}`,
  'a cut signature': `Bearer ${good.slice(0, -4)}`,
  'another payload': `Bearer ${head}.${encode({ ...admin, sub: '21' })}.${signature}`,
  'another key': `Bearer ${token(admin, {}, 'another key of at least thirty-two characters')}`,
  'an empty key': `Bearer ${token(admin, {}, '')}`,
  'alg none': `Bearer ${encode({ alg: 'none', typ: 'JWT' })}.${payload}.`,
  'alg None with a signature': `Bearer ${encode({ alg: 'None' })}.${payload}.${signature}`,
  'no alg': `Bearer ${encode({ typ: 'JWT' })}.${payload}.${signature}`,
  'an unknown alg': `Bearer ${token(admin, { alg: 'XX999' })}`,
  'an RSA signature': `Bearer ${rsaHead}.${sign('sha256', Buffer.from(rsaHead), rsa.privateKey).toString('base64url')}`,
  'another hash than it says': `Bearer ${token(admin, { alg: 'HS512' })}`,
  'a key of its own': `Bearer ${token(admin, { jwk: { kty: 'oct', k: encode('own') } }, 'own')}`,
  'an unknown critical header': `Bearer ${token(admin, { crit: ['exp2'], exp2: 1 })}`,
  expired: `Bearer ${token({ ...admin, exp: now - 1 })}`,
  'not yet active': `Bearer ${token({ ...admin, nbf: now + 3600 })}`,
  'exp as text': `Bearer ${token({ ...admin, exp: 'tomorrow' })}`,
  'exp null': `Bearer ${token({ ...admin, exp: null })}`,
  'a payload that is an array': `Bearer ${token([admin])}`,
  'a payload that is null': `Bearer ${token(null)}`,
  'a payload that is text': `Bearer ${token('"admin"')}`,
  'a payload that is no JSON': `Bearer ${token('{')}`,
  'an empty payload': `Bearer ${head}..${signature}`,
  'a header that is no JSON': `Bearer ${encode('{')}.${payload}.${signature}`,
  'standard base64': `Bearer ${good.replace('.', '+.')}`,
  'a control character': `Bearer ${good}\u0001`,
  'letters beyond ASCII': `Bearer ${good}é`,
  'a very long one': `Bearer ${'a'.repeat(10_000)}`
}
