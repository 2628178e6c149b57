/** The requests that every host gets: each has a caller, and the status that the contract promises. */
import type { ListingOptions } from '../../src/index.js'
import { callers } from '../support/fixtures/world.js'
import { badAuthorizations, token } from '../support/hosts/tokens.js'
import { expected } from '../support/oracle/oracle.js'

/** The caller that a token names, and the users of the host. */
export interface User {
  sub: string
  role: string
}

/** A user, or somebody with a bad Authorization header. */
export type Asker = { name: string; user: User } | { name: string; authorization: string | undefined }

type Found = ReturnType<ListingOptions['resolveRole']>

/** What a host can find when it looks up a role and finds none. */
const lookups: Record<string, () => Found> = {
  unknown: () => Promise.resolve(null),
  failing: () => {
    throw new Error('The lookup failed.')
  },
  'not paying': () => Promise.reject(Object.assign(new Error('Pay first.'), { statusCode: 402 })),
  away: () => Promise.reject(Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' })),
  endless: () => new Promise<never>(() => undefined)
}

/** The host's lookup: its users come with id and role. */
export const roleOf = ({ sub, role }: User): Found => lookups[role]?.() ?? { userId: sub, role }

const users = [
  ...callers.map(({ role, userId }) => ({ name: role, user: { sub: String(userId), role } })),
  ...Object.keys(lookups).map((role) => ({ name: role, user: { sub: '1', role } }))
]
const strangers = Object.entries(badAuthorizations)
  .map(([name, authorization]) => ({ name, authorization }))
  // no client sends a header with a control character in it
  .filter(({ name }) => name !== 'a control character')
const askers = new Map([...users, ...strangers].map((asker): [string, Asker] => [asker.name, asker]))

/** Whoever has this name: a role, what the lookup comes to, or what is wrong with the token. */
export function askerOf(name: string): Asker {
  const asker = askers.get(name)
  if (!asker) throw new Error(`Nobody is called '${name}'.`)
  return asker
}

export const strangerNames: readonly string[] = strangers.map(({ name }) => name)

export const bearer = (user: User): string => `Bearer ${token(user)}`

const usersByToken = new Map(users.map(({ user }) => [bearer(user), user]))

/** The user of an Authorization header, for hosts that have their own way to tell. */
export const userOf = (authorization = ''): User | undefined => usersByToken.get(authorization)

export interface MatrixRequest {
  method: 'GET' | 'HEAD'
  path: string
  asker: Asker
  status: number
}

const request = (
  status: number,
  asker: string,
  path: string,
  method: MatrixRequest['method'] = 'GET'
): MatrixRequest => ({ method, path, asker: askerOf(asker), status })

/** Both lists, where their parameters mean the same. */
const onBoth = (status: number, asker: string, query = '', method: MatrixRequest['method'] = 'GET') => [
  request(status, asker, `/assessment/list?search=&${query}`, method),
  request(status, asker, `/payment/list?${query}`, method)
]

/** A request of an administrator for each text after the path, or after `?` and the name of a parameter. */
const asAdmin = (path: string) => (status: number, texts: string) =>
  texts.split(' ').map((text) => request(status, 'Admin', path + text))
const assessments = asAdmin('/assessment/list')
const found = asAdmin('/assessment/list?search=')
const payments = asAdmin('/payment/list')
const pages = asAdmin('/payment/list?page=')

export const requests: readonly MatrixRequest[] = [
  // the one that takes until the deadline, while the others go on
  request(504, 'endless', '/payment/list'),
  // every role
  ...callers.flatMap((caller) =>
    ['/assessment/list?search=', '/payment/list'].map((path) =>
      request(expected(path, caller).status, caller.role, path)
    )
  ),
  // search and filters
  ...found(200, 'O%27Hara 100%25 _ Jane+Doe a;b %F0%9F%98%80 ben %5C ! %20Jane a+b%2Bc%26d%3De%3Ff a=b?c/d'),
  ...found(200, `example.org&status=pending &status= ${'%C3%A9'.repeat(256)}`),
  ...payments(200, '?search=pi_3 ?search= ?search=guest&processor_status=pending ?%73earch=jane'),
  ...payments(200, '?processor_status=succeeded ?processor_status=of%20no%20payment'),
  ...assessments(200, '?&&search&'),
  request(200, 'Practitioner', '/assessment/list?search=example.org&status=pending'),
  request(200, 'Individual', '/payment/list?search=pi_1'),
  // pages
  ...['page=2', 'page=2&limit=7', 'limit=100&page=1', 'page=999'].flatMap((query) => onBoth(200, 'Admin', query)),
  ...onBoth(200, 'Practitioner', 'page=2&limit=2'),
  // what is no page, no limit, no parameter and no text
  ...pages(400, '0 -1 1e3 1.5 0x10 %2B1 +1 01 NaN true 99999999999999999 %EF%BC%91 1&page=2 2?limit=1 1#top'),
  ...pages(400, ''),
  ...onBoth(400, 'Admin', 'limit=101'),
  ...onBoth(400, 'Admin', 'limit=0'),
  ...payments(400, '?staus=x ?toString=1 ?__proto__=1 ?__proto__[limit]=1 ?constructor[prototype][limit]=1'),
  ...payments(400, '?search[]=x ?search[a]=x ?search%5B%5D=x ?search[0]=x&search[1]=y ?search.a=x'),
  ...payments(400, '?limit=1;page=2 ?=x ??page=1 ?%ff=1 ?processor_status=%00 #page=1'),
  ...assessments(400, ' ?status=pending ?Search=a ?search=a&search=a'),
  ...found(400, '&status=done &status=Pending &processor_status=pending'),
  ...found(400, `%00 %0A %7F %C2%85 %ED%A0%80 %E0%A4%A %C0%AF %zz % %u0041 ${'a'.repeat(257)}`),
  // strangers, who learn nothing about parameters; then those who may not see the list
  ...strangerNames.map((asker) => request(401, asker, '/payment/list')),
  ...onBoth(401, 'no header', 'page=0&staus=x&%zz'),
  ...onBoth(401, 'expired', 'limit=101'),
  request(401, 'no header', '/assessment/list'),
  request(403, 'ordinary user', '/assessment/list'),
  request(403, 'ordinary user', '/assessment/list?page=0&staus=x&%zz'),
  // the host's lookup of the role
  ...onBoth(401, 'unknown'),
  ...['/payment/list', '/assessment/list?search='].flatMap((path) => [
    request(402, 'not paying', path),
    request(500, 'failing', path),
    request(503, 'away', path)
  ]),
  // without a body
  ...onBoth(200, 'Admin', 'page=2&limit=3', 'HEAD'),
  ...onBoth(200, 'Individual', '', 'HEAD'),
  request(400, 'Admin', '/payment/list?page=0', 'HEAD'),
  request(400, 'Admin', '/assessment/list', 'HEAD'),
  ...onBoth(401, 'expired', '', 'HEAD'),
  ...onBoth(401, 'no header', '', 'HEAD'),
  request(403, 'ordinary user', '/assessment/list?search=', 'HEAD'),
  ...onBoth(503, 'away', '', 'HEAD')
]

/** With those to lists that read through a plugin of Kysely. */
export const requestsToRuntimes: readonly MatrixRequest[] = [
  ...requests,
  ...requests.filter(({ status }) => status === 200).map((request) => ({ ...request, path: `/camel${request.path}` }))
]

export const nameOf = ({ method, path, asker }: MatrixRequest): string =>
  `${method} ${path.length > 80 ? `${path.slice(0, 80)}…` : path} as '${asker.name}'`
