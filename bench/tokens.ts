/** Tokens as every server takes them. */
import { createHmac, randomBytes } from 'node:crypto'

export const secret = randomBytes(32).toString('hex')

export function tokenOf({ id, role }: { id: number; role: string }) {
  // Feathers also wants to know whom it is from and for
  const claims = { sub: String(id), role, iss: 'bench', aud: 'bench', exp: Math.floor(Date.now() / 1000) + 86_400 }
  const text = [{ alg: 'HS256', typ: 'JWT' }, claims]
    .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
    .join('.')
  return `${text}.${createHmac('sha256', secret).update(text).digest('base64url')}`
}
