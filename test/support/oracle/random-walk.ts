/**
 * Random walks: pages after a record, one after the other, and `each`, in every order and reach, while records go. The oracle
 * sorts in JavaScript, by ranks that `dense_rank()` gives for each column alone, and by the bytes of the ids.
 */
import { isDeepStrictEqual } from 'node:util'
import Fastify from 'fastify'
import type { Test } from 'tap'
import { column, createListings, defineList, ListingError } from '../../../src/index.js'
import type { DatabaseName } from '../servers/databases.js'
import { type Random, randomOf } from './random.js'
import { type Counts, count } from './random-counts.js'
import { Difference } from './random-trial.js'
import { openWalks, type Sorted, type Walked } from './random-walk-data.js'

export interface WalkTrial {
  seed: number
  database: DatabaseName
  counts: Counts
  /** Walks of at most twenty pages. */
  walks: number
  /** Whether there are records for several batches of `each`. */
  isLarge?: boolean
}

const roles = {
  All: 'all',
  Own: 'own',
  Linked: 'linked',
  Helper: { own: 'helper_id' },
  Staff: { linked: 'helper_id', by: 'staff' },
  North: { where: { region: 'north' } },
  Else: { own: 'owner_id', where: { region: ['south', null] } },
  Both: [{ own: 'owner_id' }, { linked: 'helper_id', by: 'staff' }, { where: { region: 'north' } }]
} as const
type Role = keyof typeof roles
const roleNames = Object.keys(roles) as Role[]

const reaches: Record<Role, (record: Walked) => boolean> = {
  All: () => true,
  Own: ({ owner_id }) => owner_id === 7,
  Linked: ({ owner_id }) => owner_id === 7 || owner_id === 8,
  Helper: ({ helper_id }) => helper_id === 7,
  Staff: ({ helper_id }) => helper_id === 9,
  North: ({ region }) => region === 'north',
  Else: ({ owner_id, region }) => owner_id === 7 && (region === 'south' || region === null),
  Both: ({ owner_id, helper_id, region }) => owner_id === 7 || helper_id === 9 || region === 'north'
}
/** In the reach of everybody only. */
const nowhere = { owner_id: 0, helper_id: 0, region: 'east' }

/** Some fields are for some roles. */
type RolesOf = Partial<Record<string, readonly Role[]>>

const listOf = (sorted: Record<string, Sorted>, rolesOf: RolesOf, more: object) =>
  defineList({
    ...{ name: 'walks', path: '/walks', key: 'items', paging: 'after', id: 'id', owner: 'owner_id', order: '-made' },
    openapi: { name: 'Walk', operationId: 'listWalks', summary: 'List walks', description: 'Newest first.' },
    fields: {
      id: column.id({ examples: ['1'] }),
      ...Object.fromEntries(
        Object.entries(sorted).map(([name, { field }]) => [name, field(rolesOf[name] ? { roles: rolesOf[name] } : {})])
      ),
      ...more
    },
    columns: {
      ...{ owner_id: column.id({ whenNull: 'null' }), helper_id: column.id({ whenNull: 'null' }) },
      region: column.text({ whenNull: 'null' })
    },
    ...{ sort: ['id', ...Object.keys(sorted)], roles, messages: { found: 'Found.', forbidden: 'No.' } }
  } as never)

interface Answer {
  items: { id: string }[]
  next: string | null
  total?: number
}

/** @throws Difference for a page that the oracle does not expect */
export async function tryWalks({ seed, database, counts, walks, isLarge }: WalkTrial): Promise<void> {
  const random = randomOf(seed + 0x1b873593)
  const endings: (() => unknown)[] = []
  let [definition, asked]: [unknown, unknown] = [{}, 'no page']
  try {
    const t = { teardown: (ending: () => unknown) => endings.unshift(ending) } as unknown as Test
    const { shape, hasOrganizations, tables, ...opened } = await openWalks(t, database, random, isLarge)
    const limited = random.some(Object.keys(opened.sorted).slice(1), random.pick([0, 0.5]))
    const rolesOf: RolesOf = Object.fromEntries(limited.map((name) => [name, random.some(roleNames, 0.4)]))
    for (const name of limited) if (rolesOf[name]?.length === 0) rolesOf[name] = ['All']
    definition = { ...shape, rolesOf, hasOrganizations }
    const organizations = { organizations: { column: 'memberships.org_name', examples: [['A']] } }
    const options = {
      ...{ db: opened.db, tables, checkOnReady: 'off', authenticate: async () => undefined },
      lists: [listOf(opened.sorted, rolesOf, hasOrganizations ? organizations : {})],
      resolveRole: ({ headers }: { headers: { roles: string } }) => ({ userId: 7, role: headers.roles.split(',') })
    }
    const { plugin, find, each } = createListings(options as never)
    const app = Fastify()
    t.teardown(() => app.close())
    await app.register(plugin)
    const callOf = (role: Role[], query: object) => {
      asked = { role, ...query }
      return ['walks' as never, { caller: { userId: 7, role }, query } as never] as const
    }
    const source: Source = {
      async page(role, query) {
        const call = callOf(role, query)
        if (random.chance(0.3)) return (await find(...call)) as never
        const texts = Object.entries(query).map(([name, value]): [string, string] => [name, String(value)])
        const url = `/walks?${new URLSearchParams(texts)}`
        const { statusCode, body } = await app.inject({ url, headers: { roles: role.join() } })
        if (statusCode === 200) return JSON.parse(body)
        // Only calls know why they failed.
        await find(...call)
        throw new Error(body)
      },
      async each(role, sort) {
        const ids: string[] = []
        for await (const { id } of each(...callOf(role, { sort })) as AsyncIterable<{ id: string }>) ids.push(id)
        return ids
      }
    }
    for (let done = 0; done < walks; done++) await walk({ ...opened, rolesOf, random, counts, source, isLarge })
  } catch (error) {
    if (!(error instanceof Error)) throw error
    const reason = error instanceof ListingError ? `${error.reason} ${JSON.stringify(error.facts)}` : error.stack
    const again = `--database ${database} --requests 0 --seed ${seed} --lists 1${isLarge ? ' --large 1' : ''}`
    const text = `Pages: ${JSON.stringify(asked)}\n  ${reason}\nAgain: test/random/run.ts ${again}`
    throw new Difference(text, JSON.stringify(definition, undefined, 1))
  } finally {
    for (const ending of endings) await ending()
  }
}

interface Source {
  page(role: Role[], query: object): Promise<Answer>
  each(role: Role[], sort: string): Promise<string[]>
}

type Walking = Pick<Awaited<ReturnType<typeof openWalks>>, 'db' | 'sorted' | 'records'> & {
  rolesOf: RolesOf
  random: Random
  counts: Counts
  source: Source
  isLarge: boolean | undefined
}

async function walk({ db, sorted, records, rolesOf, random, counts, source, isLarge }: Walking): Promise<void> {
  const role = random.times(random.pick([1, 1, 2, 3]), () => random.pick(roleNames))
  const showing = (name: string) => role.filter((name_) => rolesOf[name]?.includes(name_) ?? true)
  const by = random.pick(['id', ...Object.keys(sorted)].filter((name) => showing(name).length > 0))
  const [minus, sign] = random.pick([['', 1] as const, ['-', -1] as const])
  const sort = `${minus}${by}`

  const hasNone = (record: Walked) =>
    [null, ''].includes(record.cells[by] as null) && by !== 'id' && sorted[by]?.whenNull !== 'error'
  const placeOf = (record: Walked) => {
    const isLast = hasNone(record) || !showing(by).some((name) => reaches[name](record))
    return {
      record,
      keys: [Number(isLast), isLast ? 0 : sign * Number(record.ranks[by]), sign * Number(record.ranks.id)]
    }
  }
  type Place = ReturnType<typeof placeOf>
  const compare = (one: Place, other: Place): number => {
    const differing = one.keys.map((key, at) => key - Number(other.keys[at])).find((difference) => difference !== 0)
    return differing ?? sign * Buffer.compare(Buffer.from(one.record.id), Buffer.from(other.record.id))
  }
  const reached = () =>
    records
      .filter((record) => role.some((name) => reaches[name](record)))
      .map(placeOf)
      .sort(compare)

  const limits = random.pick([[1], [2], [7], [50], [1, 2, 7, 50, 100]])
  let place: Place | undefined
  let next: string | null = ''
  for (let page = 0; page < 20 && next !== null; page++) {
    // Some walks begin in the middle.
    const limit = page === 0 && random.chance(0.4) ? random.between(1, 100) : random.pick(limits)
    const withTotal = random.chance(0.2)
    const query = { sort, limit, ...(next && { after: next }), ...(withTotal && { total: true }) }
    const all = reached()
    const from = place
    const rest: Place[] = from ? all.filter((one) => compare(one, from) > 0) : all
    const expected = rest.slice(0, limit).map(({ record }) => record.id)
    const answer: Answer = await source.page(role, query)
    count(counts, 'pages')
    const got = [answer.items.map(({ id }) => id), answer.next !== null, answer.total]
    const wanted = [expected, rest.length > limit, withTotal ? all.length : undefined]
    if (!isDeepStrictEqual(got, wanted))
      throw new Error(`after ${from?.record.id}: got ${JSON.stringify(got)},\n  expected ${JSON.stringify(wanted)}`)
    next = answer.next
    place = rest[limit - 1]
    if (!place || next === null) break

    // Of one value and one id, in base64 and with the names of the list and the order.
    const value = by === 'id' ? place.record.id : String(place.record.cells[by])
    const length = Buffer.byteLength(JSON.stringify(['walks', sort, value, place.record.id])) + 20
    if (next.length > 1.34 * length) throw new Error(`after ${place.record.id}: 'next' has ${next.length} characters`)

    if (random.chance(0.75)) continue
    count(counts, 'walks: records that went before the next page')
    const gone = random.chance(0.7) ? place.record : random.pick(records)
    if (random.chance(0.3)) {
      await db.updateTable('walks').set(nowhere).where('nr', '=', gone.nr).execute()
      Object.assign(gone, nowhere)
    } else {
      await db.deleteFrom('walks').where('nr', '=', gone.nr).execute()
      records.splice(records.indexOf(gone), 1)
      if (records.length === 0) return
    }
  }
  count(counts, 'walks: all')
  if (!random.chance(isLarge ? 0.8 : 0.2)) return
  const [got, wanted] = [await source.each(role, sort), reached().map(({ record }) => record.id)]
  const at = wanted.findIndex((id, at) => id !== got[at])
  if (!isDeepStrictEqual(got, wanted))
    throw new Error(`each: ${got.length} of ${wanted.length}, at ${at} ${got[at]} and not ${wanted[at]}`)
  count(counts, 'walks: with each')
}
