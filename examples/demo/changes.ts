/** "Who sees what" with other reaches: lists for what somebody chose on the page, on the same database. */
import { createListings } from 'fastify-assessment-payment-listing'
import { type addLists, lists, roles } from '../app.js'
import type { PageList } from './lists.js'
import { written } from './written.js'

/** What was chosen: the reach of roles, by the names below, and a second role of callers. */
export interface Changes {
  roles: Record<string, string>
  also: Record<string, string>
}

type Lists = Awaited<ReturnType<typeof addLists>>
type Options = Parameters<typeof createListings>[0]

/** The columns of a list: its people, and what a condition narrows. */
const columnsOf = {
  assessments: { person: 'user_id', named: 'practitioner_id', where: { status: 'completed' } },
  payments: { person: 'user_id', named: 'user_id', where: { processor_status: ['pending', 'failed'] } },
  certificates: { person: 'holder_id', named: 'examiner_id', where: { state: ['expired', 'revoked'] } }
}
/** Every list with a path for one record, by which "Who sees what" asks for records on later pages. */
const withRecords = lists.map((list) => {
  const messages = { found: 'Found.', notFound: 'Not found.' }
  return list.extend({ record: { path: `/${list.name}/:${list.id}`, key: 'record', messages } })
})
const clinics = { linked: 'clinic_id', by: 'clinic_staff' }

/** The reaches that the page offers, and what each means. Not every list can have every one: the library says why. */
export function reachesFor(name: PageList['name']): Record<string, { reach: unknown; means: string }> {
  const { person, named, where } = columnsOf[name]
  const condition = Object.entries(where).map(([column, values]) => `${column} is ${[values].flat().join(' or ')}`)
  return {
    own: { reach: 'own', means: `the records whose ${person} is the caller's id` },
    linked: {
      reach: 'linked',
      means: "the caller's own, and those of the users whom the table links has for the caller"
    },
    all: { reach: 'all', means: 'every record' },
    none: { reach: 'none', means: 'no record: the list answers with a 403' },
    [`own by ${named}`]: { reach: { own: named }, means: `the records whose ${named} is the caller's id` },
    ...(name === 'certificates' && {
      clinics: { reach: clinics, means: 'the records of the clinics that the table clinic_staff has for the caller' }
    }),
    'a union': {
      reach: [{ own: named }, { linked: person }],
      means: `the records whose ${named} is the caller, and those of linked users, but not the caller's own: each that any part reaches, once`
    },
    'own, with a condition': { reach: { own: person, where }, means: `the caller's own whose ${condition}` },
    'all, with a condition': { reach: { where }, means: `every record whose ${condition}` },
    'a typo': { reach: { own: 'practitoner' }, means: 'a column that there is not' }
  }
}

/**
 * Reads what the page has in its address.
 *
 * @throws Error with the status 400 that says what to give instead
 */
export function changesFrom(text: string | undefined, name: PageList['name']): Changes {
  if (!text) return { roles: {}, also: {} }
  const reaches = Object.keys(reachesFor(name))
  const isOf = (part: unknown, isValue: (value: unknown) => boolean) =>
    typeof part === 'object' && part !== null && Object.values(part).every(isValue)
  try {
    const given = JSON.parse(text) as Partial<Changes>
    const { roles = {}, also = {} } = given
    const isReach = (value: unknown) => reaches.includes(String(value))
    if (isOf(given, () => true) && isOf(roles, isReach) && isOf(also, (value) => typeof value === 'string'))
      return { roles, also }
  } catch {
    // no JSON
  }
  const message = `The parameter 'changes' must be JSON such as {"roles":{"Practitioner":"all"},"also":{"Individual":"Admin"}}. Give each role one of these: ${reaches.join('; ')}. Leave the parameter out for the roles as they are.`
  throw Object.assign(new Error(message), { statusCode: 400 })
}

/**
 * Turns a choice into the option `roles`: the code of it, under which the page shows what each reach means, and lists with it.
 * `make` throws the library's own message if the choice is wrong.
 */
export function changedLists(name: PageList['name'], changes: Changes, db: unknown) {
  const reaches = reachesFor(name)
  const changed = Object.entries(changes.roles).map(([role, chosen]) => [role, reaches[chosen]?.reach])
  const option = { [name]: Object.fromEntries(changed) }
  // the others stay as they are: one has a field for a role that only this option names
  const all = { ...roles, [name]: { ...(name === 'certificates' && roles.certificates), ...option[name] } }
  const meant = Object.entries(reaches).map(([word, { means }]) => `// ${word}: ${means}`)
  const code = [...(changed.length > 0 ? [`roles: ${written(option)}`] : []), ...meant].join('\n')
  const make = () =>
    createListings({ db, lists: withRecords, roles: all, resolveRole: () => null } as unknown as Options)
  return { code, make: make as unknown as () => Lists }
}
