/** Counts, single records and pages after a record of a random list, compared with the oracle of its pages. */
import Fastify from 'fastify'
import type { Test } from 'tap'
import { createListings, type List } from '../../../src/index.js'
import type { Asked, Oracle } from './oracle.js'
import type { Random } from './random.js'
import type { RandomList } from './random-lists.js'

const record = { path: '/one/:id', key: 'one', messages: { found: 'Found.', notFound: 'None.' } }

interface Answer {
  status: number
  body: Record<string, unknown>
}

/**
 * Mounts the list again, with counts and a record, and once more with pages after a record if its order is shown.
 *
 * @returns finds the first difference
 */
export async function questionsOf(t: Test, plan: RandomList, list: List, options: object) {
  const isClosed = ({ column, sort }: { column: string; sort: string }) =>
    sort === 'present' || (sort !== 'range' && ['enum', 'boolean'].includes(String(plan.columns[column]?.kind)))
  const closed = Object.entries(plan.filters).filter(([, filter]) => isClosed(filter))
  const filters = Object.fromEntries(closed.map(([name]) => [name, { counted: true }]))
  const mount = async (paging: 'number' | 'after') => {
    const more = { path: '/more', openapi: { operationId: 'more' }, key: 'items', filters, record, paging }
    const app = Fastify()
    t.teardown(() => app.close())
    const lists = [(list as unknown as { extend(more: object): List }).extend(more)]
    await app.register(createListings({ ...options, lists } as never).plugin)
    await app.ready()
    return async (
      { userId, role, ids }: Asked,
      path: string,
      pairs: readonly (readonly [string, string])[] = []
    ): Promise<Answer> => {
      const query = new URLSearchParams(pairs.map(([name, value]): [string, string] => [name, value]))
      const caller = encodeURIComponent(JSON.stringify({ userId, role, ids }))
      const { statusCode, body } = await app.inject({ url: `${path}?${query}`, headers: { caller } })
      return { status: statusCode, body: JSON.parse(body) }
    }
  }
  const ask = await mount('number')
  const askAfter = await mount('after').catch(({ message }: Error) => {
    if (/needs a field that shows|of the kind enum|is taken|cannot be 'next'/.test(message)) return undefined
    throw new Error(message)
  })
  const known = new Set<string>()

  const ofCounts = async (asked: Asked, oracle: Oracle, random: Random): Promise<unknown[] | undefined> => {
    if (closed.length === 0) return undefined
    const [name, { column, sort }] = random.pick(closed)
    const { status, body } = await ask(asked, '/more', [...asked.pairs, ['counts', name]])
    const isEnum = sort !== 'present' && plan.columns[column]?.kind === 'enum'
    const values = isEnum ? (plan.columns[column]?.values ?? []) : ['true', 'false']
    const others = asked.pairs.filter(([other]) => other !== name)
    const pages = values.map((value) => oracle.page({ ...asked, pairs: [...others, [name, value]] }))
    const isHidden = pages.some(({ status }) => status !== 200)
    const totals = pages.map((page) => ('total' in page ? page.total : undefined))
    const got = values.map((value) => Object(Object(body.counts)[name])[value])
    const isRight = isHidden ? status === 400 : status === 200 && JSON.stringify(got) === JSON.stringify(totals)
    return isRight ? undefined : [name, status, got, totals]
  }

  const ofRecord = async (asked: Asked, oracle: Oracle, random: Random): Promise<unknown[] | undefined> => {
    // A role that gets no searched field has no search.
    const none = oracle.each({ ...asked, pairs: [] })
    const all = none.status === 400 ? oracle.each({ ...asked, pairs: [['search', '']] }) : none
    const items = new Map(('items' in all ? all.items : []).map((item) => [String(JSON.parse(item)[plan.id]), item]))
    for (const id of items.keys()) if (known.size < 500) known.add(id)
    const id = random.chance(0.1) ? 'nobody' : known.size > 0 ? random.pick([...known]) : '1'
    // A router reads such a path in another way.
    if (/^\.*$/.test(id) || id.length > 100) return undefined
    const { status, body } = await ask(asked, `/one/${encodeURIComponent(id)}`)
    const item = items.get(id)
    const expected = item
      ? { status: 'success', message: 'Found.', one: JSON.parse(item) }
      : { status: 404, error: 'None.' }
    const isRight = status === (item ? 200 : 404) && JSON.stringify(body) === JSON.stringify(expected)
    return isRight ? undefined : [id, status, body, expected]
  }

  const ofWalk = async (asked: Asked, oracle: Oracle, random: Random): Promise<unknown[] | undefined> => {
    if (!askAfter) return undefined
    const pairs = asked.pairs.filter(([name]) => !['page', 'limit'].includes(name))
    const expected: string[] = []
    for (let [page, total] = [1, 1]; expected.length < total; page++) {
      const numbered = oracle.page({ ...asked, pairs: [...pairs, ['page', String(page)], ['limit', '100']] })
      if (!('items' in numbered) || numbered.items.length === 0) break
      total = numbered.total
      expected.push(...numbered.items)
    }
    const [walked, limit]: [string[], string] = [[], String(random.pick([1, 3, 7, 50]))]
    let next: unknown = ''
    while (next !== null) {
      const place: [string, string][] = next === '' ? [] : [['after', String(next)]]
      const { status, body } = await askAfter(asked, '/more', [...pairs, ['limit', limit], ['total', 'true'], ...place])
      if (status !== 200 || body.total !== expected.length) return [limit, status, body, expected.length]
      walked.push(...(body.items as unknown[]).map((item) => JSON.stringify(item)))
      next = body.next
      if (walked.length > expected.length || walked.length > 300) break
    }
    const wanted = expected.slice(0, walked.length > 300 ? walked.length : undefined)
    const at = wanted.findIndex((item, place) => item !== walked[place])
    return at < 0 && walked.length === wanted.length
      ? undefined
      : [limit, at, walked[at], wanted[at], walked.length, wanted.length]
  }

  return async (asked: Asked, oracle: Oracle, random: Random): Promise<string | undefined> => {
    const check = random.pick([ofCounts, ofRecord, ofWalk])
    const difference = await check(asked, oracle, random)
    return difference && `${check.name}: ${JSON.stringify([asked, ...difference]).slice(0, 3000)}`
  }
}
