/** What `build` returns: the server under test, its callers, and what the host knows. */
import { describe } from '../errors/describe.js'
import type { List } from '../lists/list.js'
import { aReach, notReach } from '../lists/mistakes/reach.js'
import type { defaultLists } from '../lists/ready/index.js'
import type { RoleReach } from '../lists/roles.js'
import type { IdOf, WhereOf } from '../lists/types/names.js'
import type { ListingCaller } from '../options/options.js'
import { type Caller, callerFrom } from '../visibility/caller.js'
import { heldBy, linkTables } from '../visibility/grant.js'
import { reachOf } from '../visibility/reach-of-role.js'
import { missingId } from '../visibility/tenant-id.js'
import type { Asker, ConformanceServer } from './client.js'

type Ids = readonly (number | bigint | string)[]

/** A caller, and whose records the caller must see in each list of the option `lists`. */
export interface ConformanceCaller<Lists extends readonly List[] = typeof defaultLists> extends Asker {
  /** The id that `resolveRole` returns for the caller. */
  readonly userId: ListingCaller['userId']
  /** The role or roles that `resolveRole` returns. Without them, the checks do not know the fields for some roles. */
  readonly role?: ListingCaller['role'] | undefined
  /** The `ids` that `resolveRole` returns, for reaches with `callerId` and lists with `within`. */
  readonly ids?: ListingCaller['ids']
  /**
   * The expected reach on each list, such as `{ assessments: 'linked', payments: 'own' }`. Of several roles, the union:
   * `{ incidents: [{ own: 'counsellor_id' }, { linked: 'pupil_id', by: 'guardians', callerId: 'parent' }] }`.
   */
  readonly reach: {
    readonly [Of in Lists[number] as Of['name']]: RoleReach<IdOf<Of['columns']>, WhereOf<Of['columns']>>
  }
  /** The ids that are linked to the caller, by the table of links: `{ clinic_staff: [5, 7] }`. An array is for `links`. */
  readonly linked?: Ids | Readonly<Record<string, Ids>> | undefined
  /**
   * How many records of a list the caller must see, as your own statement counts them: `{ payments: 12 }`. Required for
   * a caller who sees none, and where no field shows a column of the reach, because nobody can then see whose they are.
   */
  readonly totals?: { readonly [Of in Lists[number] as Of['name']]?: number | bigint | undefined } | undefined
}

export type AnyCaller = ConformanceCaller<readonly List[]>

/** The server under test and its callers. */
export interface ConformanceHost<Callers = readonly ConformanceCaller[]> {
  /** The server. The checks do not close it. */
  app: ConformanceServer
  /** At least one, ideally one per role. A caller with the reach `'all'` allows to find missing records. */
  callers: Callers
  /**
   * Records whose fields you know, by the name of the list, each with its id and any other fields of an item:
   * `{ payments: [{ payment_id: '5', amount: 2500.96 }] }`. Needs a caller with the reach `'all'`.
   */
  known?: KnownRecords | undefined
  /**
   * The number of all records of a list, as your own statement counts them, by the name of the list:
   * `{ payments: 16049 }`. Needs a caller with the reach `'all'`. In a list with `within`, what the first one sees.
   */
  totals?: Readonly<Record<string, number | bigint>> | undefined
}

export type AnyHost = ConformanceHost<readonly AnyCaller[]>

/** Fields of items, by the name of the list. */
export type KnownRecords = Readonly<Record<string, readonly Readonly<Record<string, unknown>>[]>>

/** @throws TypeError if the host has no server or no callers, or says something of lists that there are not */
export function checkHost(host: ConformanceHost<unknown>, lists: readonly List[]): AnyHost {
  const { app, callers, known = {}, totals = {} }: Partial<AnyHost> = Object(host)
  if (typeof app?.inject !== 'function' || !Array.isArray(callers) || callers.length === 0) {
    throw new TypeError(
      `build must return { app, callers }, a Fastify server and at least one caller, got ${describe(host)}.`
    )
  }
  for (const caller of callers) checkCaller(caller, lists)
  for (const [what, given] of Object.entries({ known, totals })) {
    requireLists(what, given, lists)
    const lonely = lists.find((list) => Object.hasOwn(given, list.name) && !callers.some((each) => seesAll(each, list)))
    if (lonely) throw new TypeError(`${what}.${lonely.name} needs a caller whose 'reach.${lonely.name}' is 'all'.`)
  }
  for (const list of lists) for (const record of known[list.name] ?? []) checkRecord(record, list)
  return { app, callers, known, totals }
}

function checkCaller(caller: AnyCaller, lists: readonly List[]): void {
  const { name, headers, userId, reach, totals = {} }: AnyCaller = Object(caller)
  const hasTexts =
    describe(headers).startsWith('an object') && Object.values(headers).every((value) => typeof value === 'string')
  if (typeof name !== 'string' || !hasTexts) {
    throw new TypeError(`A caller needs a name, and headers whose values are texts; got ${describe(caller)}.`)
  }
  const linked = linkedOf(caller)
  if (userId === undefined || userId === null || !Object.values(linked).every(Array.isArray)) {
    throw new TypeError(`Caller ${name} needs a userId; 'linked' is an array of ids, or { table: ids }.`)
  }
  requireLists(`totals of caller ${name}`, totals, lists)
  for (const list of lists) {
    const given = Object(reach)[list.name]
    const wrong = notReach(given, list)
    if (wrong) throw new TypeError(`'reach.${list.name}' of caller ${name}: expected ${aReach}; got ${wrong}.`)
    const missing = linkTables(heldBy(callerOf(caller), reachOf(given, list))).find((by) => !linked[by])
    if (!missing) continue
    throw new TypeError(`Caller ${name} needs 'linked.${missing}', the ids that the table has for the caller.`)
  }
}

/** The ids that are linked to the caller, by the table of links. */
export const linkedOf = ({ linked }: AnyCaller): Readonly<Record<string, Ids | undefined>> =>
  Array.isArray(linked) ? { links: linked } : { links: [], ...Object(linked) }

/** The caller as the lists read what `resolveRole` returns. */
export const callerOf = ({ name, userId, role = '', ids }: AnyCaller): Caller =>
  callerFrom({ userId, role, ids }, (rule, got) => {
    throw new TypeError(`Caller ${name} needs a ${rule}; got ${got}.`)
  })

const seesAll = (caller: AnyCaller, list: List) =>
  caller.reach[list.name] === 'all' && missingId(list, callerOf(caller)) === undefined

function requireLists(what: string, given: object, lists: readonly List[]): void {
  const known = lists.map(({ name }) => name)
  const unknown = Object.keys(given).find((name) => !known.includes(name))
  if (unknown === undefined) return
  throw new TypeError(`${what}.${unknown}: there is no such list. The lists are ${known.join(', ')}.`)
}

function checkRecord(record: Readonly<Record<string, unknown>>, { name, id, fields }: List): void {
  const known = Object.keys(fields)
  const unknown = Object.keys(Object(record)).find((field) => !known.includes(field))
  if (unknown)
    throw new TypeError(`known.${name}: items have no field '${unknown}'. The fields are ${known.join(', ')}.`)
  if (Object(record)[id] === undefined)
    throw new TypeError(`known.${name}: each record needs '${id}'; got ${describe(record)}.`)
}
