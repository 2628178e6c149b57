/** A reach as the SQL and the checks read it: grants, each of some records and fields. A caller gets their union. */
import type { Reach } from '../lists/roles.js'
import type { Caller } from './caller.js'

/** Some records, and the fields that stay hidden in them. `{}` is every record with every field. */
export interface Grant {
  /** Its id is the caller's, or with `by`, linked to the caller in that table. Undefined for every record. */
  readonly column?: string
  readonly by?: string
  /** The name of the caller's id. Undefined for the `userId`. */
  readonly callerId?: string
  /** Only records whose columns have one of their values, as texts. */
  readonly where?: readonly (readonly [column: string, values: readonly (string | null)[]])[]
  /** The fields that the role of the grant does not get. */
  readonly hides?: readonly string[]
}

/** The records of any grant. `[]` is nobody's. */
export type Grants = readonly Grant[]

export const everything: Grants = [{}]

/** Whether a grant is one of every record with every field. */
export const isEverything = (grants: Grants): boolean => grants.some((grant) => Object.keys(grant).length === 0)

/** The grants whose ids the caller has. */
export const heldBy = ({ ids }: Pick<Caller, 'ids'>, grants: Grants): Grants =>
  grants.filter(({ callerId }) => callerId === undefined || Object.hasOwn(ids, callerId))

/** The union, without grants whose records and fields another one covers. Of two equal ones, the first stays. */
export const united = (grants: Grants): Grants =>
  grants.reduce<Grants>((kept, grant) => {
    if (kept.some((other) => covers(other, grant))) return kept
    return [...kept.filter((other) => !covers(grant, other)), grant]
  }, [])

const covers = (one: Grant, other: Grant): boolean =>
  isWithin(other, [one]) && (one.hides ?? []).every((name) => other.hides?.includes(name))

/** The union of the records, whatever fields the grants hide. */
export const unitedRecords = (grants: Grants): Grants => united(grants.map(({ hides: _, ...records }) => records))

/** Whether one of other grants reaches every record of a grant. */
export const isWithin = (grant: Grant, others: Grants): boolean =>
  others.map(recordsOf).some((records) => records === '{}' || records === recordsOf(grant))

const recordsOf = ({ hides: _, ...records }: Grant): string => JSON.stringify(records)

/** Whether no id of the caller decides: every record, or those of a condition. Their pages are planned. */
export const isOfAll = (reach: Grants): boolean => reach.length === 1 && nameOf(reach) === 'all'

/** Whether a reach is one id, so that its records are few and found fast. */
export const isOwn = (reach: Grants): boolean => reach.length === 1 && nameOf(reach) === 'own'

/** Whether a reach is `linked`, which has one column. */
export function isLinked(reach: Grants): reach is [Grant & { column: string }, Grant] {
  const [{ column: linked, by, ...one } = {}, { column: own, ...other } = {}, ...more] = reach
  return by === 'links' && linked === own && Object.keys({ ...one, ...other, ...more }).length === 0
}

/** The word for the log. A reach with linked records is `linked`, and one of a condition alone is `all`. */
export function nameOf(reach: Grants): Reach {
  if (reach.length === 0) return 'none'
  if (reach.some(({ column }) => column === undefined)) return 'all'
  return reach.some(({ by }) => by !== undefined) ? 'linked' : 'own'
}

/** The names of the caller's ids that grants and the list compare, besides the `userId`. */
export const idNamesOf = (
  { within }: { readonly within: Readonly<Record<string, string>> },
  grants: Grants
): string[] => [...new Set([...grants.flatMap(({ callerId }) => callerId ?? []), ...Object.values(within)])]

export const linkTables = (grants: Grants): string[] => [...new Set(grants.flatMap(({ by }) => by ?? []))]
