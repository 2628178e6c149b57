/** What every host is asked: one entry a request, with the status that the contract says. */
import { expected } from '../support/oracle.js'
import { callers } from '../support/world.js'
import { type Asker, askerOf, strangerNames } from './askers.js'

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

const asAdmin = (status: number, ...paths: string[]) => paths.map((path) => request(status, 'Admin', path))

const pages = (...pages: string[]) => asAdmin(400, ...pages.map((page) => `/payment/list?page=${page}`))

const strange = (...askers: string[]) => askers.map((asker) => request(401, asker, '/payment/list'))

/** Some of every kind. */
const common: readonly MatrixRequest[] = [
  // the one that takes until the deadline, while the others go on
  request(504, 'endless', '/payment/list'),
  // every role
  ...callers.flatMap((caller) =>
    ['/assessment/list?search=', '/payment/list'].map((path) =>
      request(expected(path, caller).status, caller.role, path)
    )
  ),
  // search, filters, pages
  ...asAdmin(
    200,
    '/assessment/list?search=O%27Hara',
    '/assessment/list?search=100%25',
    '/assessment/list?search=_',
    '/assessment/list?search=Jane+Doe',
    '/assessment/list?search=a;b',
    '/assessment/list?search=%F0%9F%98%80',
    '/assessment/list?search=example.org&status=pending',
    '/assessment/list?search=&status=',
    '/payment/list?search=pi_3',
    '/payment/list?processor_status=succeeded'
  ),
  ...onBoth(200, 'Admin', 'page=2&limit=7'),
  ...onBoth(200, 'Admin', 'limit=100&page=1'),
  ...onBoth(200, 'Admin', 'page=999'),
  ...onBoth(200, 'Practitioner', 'page=2&limit=2'),
  // what is no page, no limit, no parameter and no text
  ...pages('0', '1e3', '', '%EF%BC%91'),
  ...onBoth(400, 'Admin', 'limit=101'),
  ...asAdmin(
    400,
    '/assessment/list',
    '/assessment/list?search=&status=done',
    '/assessment/list?search=a&search=a',
    '/payment/list?staus=x',
    '/payment/list?search[]=x',
    '/payment/list?search[a]=x',
    '/payment/list?__proto__=1',
    '/payment/list?limit=1;page=2',
    '/payment/list#page=1',
    '/assessment/list?search=%00',
    '/assessment/list?search=%ED%A0%80',
    '/assessment/list?search=%E0%A4%A',
    '/assessment/list?search=%zz',
    `/assessment/list?search=${'a'.repeat(257)}`
  ),
  // strangers, who learn nothing about parameters; then those who may not see the list
  ...strange('no header', 'the scheme alone', 'another scheme', 'no dots', 'another key', 'alg none', 'expired'),
  ...onBoth(401, 'no header', 'page=0&staus=x&%zz'),
  request(403, 'ordinary user', '/assessment/list?page=0&staus=x&%zz'),
  // the host's lookup of the role
  ...onBoth(401, 'unknown'),
  request(402, 'not paying', '/payment/list'),
  request(500, 'failing', '/payment/list'),
  request(503, 'away', '/payment/list'),
  // without a body
  ...onBoth(200, 'Admin', 'page=2&limit=3', 'HEAD'),
  request(400, 'Admin', '/payment/list?page=0', 'HEAD'),
  ...onBoth(401, 'expired', '', 'HEAD'),
  request(403, 'ordinary user', '/assessment/list?search=', 'HEAD')
]

/** More of every kind. */
const rare: readonly MatrixRequest[] = [
  ...asAdmin(
    200,
    '/assessment/list?search=ben',
    '/assessment/list?search=%5C',
    '/assessment/list?search=!',
    '/assessment/list?search=%20Jane',
    '/assessment/list?search=a+b%2Bc%26d%3De%3Ff',
    '/assessment/list?search=a=b?c/d',
    `/assessment/list?search=${'%C3%A9'.repeat(256)}`,
    '/assessment/list?&&search&',
    '/payment/list?search=',
    '/payment/list?search=guest&processor_status=pending',
    '/payment/list?processor_status=of%20no%20payment',
    '/payment/list?%73earch=jane'
  ),
  request(200, 'Practitioner', '/assessment/list?search=example.org&status=pending'),
  request(200, 'Individual', '/payment/list?search=pi_1'),
  ...onBoth(200, 'Admin', 'page=2'),
  ...pages('-1', '1.5', '0x10', '%2B1', '+1', '01', 'NaN', 'true', '99999999999999999'),
  ...onBoth(400, 'Admin', 'limit=0'),
  ...asAdmin(
    400,
    '/assessment/list?status=pending',
    '/assessment/list?search=&status=Pending',
    '/assessment/list?Search=a',
    '/assessment/list?search=&processor_status=pending',
    '/payment/list?page=1&page=2',
    '/payment/list?search%5B%5D=x',
    '/payment/list?search[0]=x&search[1]=y',
    '/payment/list?search.a=x',
    '/payment/list?__proto__[limit]=1',
    '/payment/list?constructor[prototype][limit]=1',
    '/payment/list?toString=1',
    '/payment/list?page=2?limit=1',
    '/payment/list?=x',
    '/payment/list??page=1',
    '/payment/list?page=1#top',
    '/assessment/list?search=%0A',
    '/assessment/list?search=%7F',
    '/assessment/list?search=%C2%85',
    '/assessment/list?search=%C0%AF',
    '/assessment/list?search=%',
    '/assessment/list?search=%u0041',
    '/payment/list?%ff=1',
    '/payment/list?processor_status=%00'
  ),
  ...strange(...strangerNames.filter((name) => !common.some(({ asker }) => asker.name === name))),
  ...onBoth(401, 'expired', 'limit=101'),
  request(401, 'no header', '/assessment/list'),
  request(403, 'ordinary user', '/assessment/list'),
  request(402, 'not paying', '/assessment/list?search='),
  request(500, 'failing', '/assessment/list?search='),
  request(503, 'away', '/assessment/list?search='),
  ...onBoth(200, 'Individual', '', 'HEAD'),
  ...onBoth(401, 'no header', '', 'HEAD'),
  request(400, 'Admin', '/assessment/list', 'HEAD'),
  ...onBoth(503, 'away', '', 'HEAD')
]

export const requests: readonly MatrixRequest[] = [...common, ...rare]

/** With those to lists that read through a plugin of Kysely. */
export const requestsToRuntimes: readonly MatrixRequest[] = [
  ...requests,
  ...requests.filter(({ status }) => status === 200).map((request) => ({ ...request, path: `/camel${request.path}` }))
]

export const nameOf = ({ method, path, asker }: MatrixRequest): string =>
  `${method} ${path.length > 80 ? `${path.slice(0, 80)}…` : path} as '${asker.name}'`
