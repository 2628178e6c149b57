/** Compares a server that has one random list with the oracle, over HTTP, with `find` and with `each`. */
import { isDeepStrictEqual } from 'node:util'
import Fastify, { type FastifyInstance } from 'fastify'
import type { Test } from 'tap'
import { checkDatabase, createListings, ListingError } from '../../../src/index.js'
import { openDatabase } from '../servers/databases.js'
import { errorsIn } from './check.js'
import {
  type Asked,
  type Expected,
  grantsOf,
  namesMistake,
  type Oracle,
  oracleOf,
  parametersOf,
  showsColumn
} from './oracle.js'
import { type Random, randomOf } from './random.js'
import type { ColumnPlan } from './random-columns.js'
import { type Counts, count, countAnswer, countList, countTwin, type Way } from './random-counts.js'
import { createTables, type Data, dataOf, type Row, tablesOf } from './random-data.js'
import { listOf } from './random-definition.js'
import { type Choice, planOf, type RandomList } from './random-lists.js'
import { questionsOf } from './random-questions.js'
import { askedOf } from './random-requests.js'
import { lostBy, withMoreRoles } from './random-roles.js'

export interface Trial extends Choice {
  requests: number
  counts: Counts
  /** Whether there are records for several batches of `each`. */
  isLarge?: boolean
  /** Whether the start-up check must find no error. */
  isChecked?: boolean
}

export class Difference extends Error {
  constructor(
    message: string,
    /** For people. */
    readonly definition: string
  ) {
    super(message)
  }
}

/** @throws Difference for an answer that the oracle does not expect */
export async function tryList(trial: Trial): Promise<void> {
  const plan = planOf(trial)
  const data = dataOf(plan, trial.isLarge)
  const random = randomOf(trial.seed + 0x165667b1)
  const endings: (() => unknown)[] = []
  try {
    const scope = { teardown: (ending: () => unknown) => endings.unshift(ending) }
    const { ask, findings, questions } = await serve(scope as unknown as Test, plan, data, trial.isChecked, true)
    const twin = twinOf(plan, data, random)
    const other = twin && (await serve(scope as unknown as Test, plan, twin.data))
    if (findings.length > 0) throw new Error(`The start-up check found: ${findings.join('\n')}`)
    const oracle = oracleOf(plan, data)
    countList(trial.counts, plan, data)
    for (let done = 0; done < trial.requests; done++) {
      const isOfTwin = other && random.chance(0.3)
      const asked = { ...askedOf(random, plan, data), ...(isOfTwin && twin.caller) }
      const ways: Way[] = ['http']
      if (!asked.isBroken && random.chance(0.2)) ways.push('find')
      if (!asked.isBroken && random.chance(trial.isLarge ? 0.3 : 0.1)) ways.push('each')
      if (other && isOfTwin) {
        const [one, same] = [await ask(asked, 'http', random), await other.ask(asked, 'http', random)]
        if (JSON.stringify(one) !== JSON.stringify(same)) {
          const texts = [asked, one, same].map((value) => JSON.stringify(value).slice(0, 2000))
          throw new Error(`Cells that the caller cannot see change an answer: ${texts.join('\n  ')}`)
        }
        countTwin(trial.counts, one.status)
      }
      if (!asked.isBroken && asked.role.length > 0 && random.chance(0.25)) {
        const [one, other] = withMoreRoles(random, asked)
        const lost = lostBy(plan, await ask(one, 'http', random), await ask(other, 'http', random))
        if (lost) throw new Error(`A role more takes away: ${JSON.stringify([one, other.role])}\n  ${lost}`)
        count(trial.counts, 'requests with a role more')
      }
      for (const way of ways) {
        const given = way === 'each' ? { ...asked, pairs: pairsForEach(random, asked.pairs) } : asked
        const expected = expectedOf(oracle, given, way)
        const problem = problemOf(expected, await ask(given, way, random), way)
        if (problem) throw new Error(await reportOf(ask, oracle, given, way, problem, random))
        countAnswer(trial.counts, plan, given, way, expected)
      }
      if (questions && !asked.isBroken && random.chance(0.2) && oracle.page(asked).status === 200) {
        const difference = await questions(asked, oracle, random)
        if (difference) throw new Error(difference)
        count(trial.counts, 'requests of counts, records and pages after records')
      }
    }
  } catch (error) {
    const { seed, database, requests, isLarge } = trial
    const again = `--database ${database} --seed ${seed} --lists 1 --each ${isLarge ? `${requests * 5} --large 1` : requests}`
    const { message, stack } = error as Error
    const text = message.includes(sameText) ? message : stack
    throw new Difference(`${text}\nAgain: npm run test:random -- ${again}`, definitionOf(plan))
  } finally {
    for (const ending of endings) await ending()
  }
}

/**
 * A caller, and the same data with other values in the cells that the caller may not see. The columns that decide which
 * records a role reaches, and the ids of people, keep their values.
 */
function twinOf(plan: RandomList, data: Data, random: Random) {
  const { pairs: _, mistake: _mistake, isBroken: _isBroken, ...caller } = askedOf(random, plan, data)
  const grants = grantsOf(plan, data, { ...caller, pairs: [] })
  if (!grants) return undefined
  const within = Object.entries(plan.within ?? {})
  const isWithin = (row: Row) => within.every(([column, name]) => row[column] === caller.ids?.[name])
  const { id, owner, practitioner = owner } = plan
  const kept = [
    id,
    owner,
    practitioner,
    ...within.map(([column]) => column),
    ...grants.flatMap(({ deciding }) => deciding)
  ]
  const columns = Object.keys(plan.columns).filter((name) => !kept.includes(name))
  const ofUsers = Object.keys({ email: 1, first_name: 1, last_name: 1, avatar_url: 1, ...plan.joined.users })
  // Without a table of their own, the practitioners are users, and may be seen.
  const hiddenOfUsers = plan.hasPractitioners
    ? ofUsers.filter((name) => !grants.some((grant) => showsColumn(plan, grant, `users.${name}`)))
    : []
  const rotated = (rows: Row[], isHidden: (row: Row) => (column: string) => boolean, names: string[]) =>
    rows.map((row, at) => {
      const next = rows[(at + 1) % rows.length] as Row
      return { ...row, ...Object.fromEntries(names.filter(isHidden(row)).map((name) => [name, next[name] ?? null])) }
    })
  const isUnseen = (row: Row) => {
    const reaching = isWithin(row) ? grants.filter((grant) => grant.reaches(row)) : []
    return (column: string) => !reaching.some((grant) => showsColumn(plan, grant, column))
  }
  const records = rotated(data.records, isUnseen, columns)
  const users = rotated(data.users, () => () => true, hiddenOfUsers)
  if (isDeepStrictEqual([records, users], [data.records, data.users])) return undefined
  // A caller without ids must not get those of another request.
  return { caller: { ids: undefined, ...caller }, data: { ...data, records, users } }
}

function definitionOf({ joined, columns, ...rest }: RandomList): string {
  const shape = { ...rest, users: shortOf(joined.users), practitioners: shortOf(joined.practitioners) }
  return JSON.stringify({ ...shape, columns: shortOf(columns) }, undefined, 1).replace(/\n {3,}/g, ' ')
}

const shortOf = (columns: Record<string, ColumnPlan>) =>
  Object.fromEntries(
    Object.entries(columns).map(([name, { kind, whenNull, type, form, pool }]) => [
      name,
      [kind, whenNull, type, form, ...pool].join(' | ')
    ])
  )

type Got = { status: number; items?: string[] } & Partial<Record<'error' | 'page' | 'limit' | 'total', unknown>>

type Ask = (asked: Asked, way: Way, random: Random) => Promise<Got>

async function serve(t: Test, plan: RandomList, data: Data, isChecked = false, isAsked = false) {
  const db = await openDatabase(t, plan.database)
  await createTables(db, plan, data)
  const options = {
    ...{ db, lists: [listOf(plan)], tables: tablesOf(plan, db) },
    roles: { [plan.name]: plan.optionRoles },
    checkOnReady: 'off',
    authenticate: async () => undefined,
    resolveRole: ({ headers }: { headers: Record<string, string> }) =>
      JSON.parse(decodeURIComponent(String(headers.caller)))
  }
  const { plugin, find, each } = createListings(options as never)
  const questions = isAsked ? await questionsOf(t, plan, listOf(plan), options) : undefined
  const app = Fastify()
  t.teardown(() => app.close())
  await app.register(plugin)
  await app.ready()
  const ask: Ask = async (asked, way, random) => {
    if (way === 'http') return askOverHttp(app, plan, asked)
    const caller = { userId: asked.userId, role: asked.role, ids: asked.ids }
    const of = [plan.name as never, { caller, query: queryOf(random, plan, asked) } as never] as const
    try {
      if (way === 'find') {
        const found: Record<'page' | 'limit' | 'total', unknown> & { items: unknown[] } = await find(...of)
        return { ...found, status: 200, items: found.items.map((item) => JSON.stringify(item)) }
      }
      const items: string[] = []
      for await (const item of each(...of)) items.push(JSON.stringify(item))
      return { status: 200, items }
    } catch (error) {
      if (!(error instanceof ListingError)) throw error
      const { statusCode, message, reason, facts } = error
      return { status: statusCode, error: statusCode === 500 ? `${reason} ${JSON.stringify(facts)}` : message }
    }
  }
  const found = isChecked ? await checkDatabase(options as never) : []
  return { ask, questions, findings: errorsIn(found) }
}

async function askOverHttp(app: FastifyInstance, { path, key }: RandomList, asked: Asked): Promise<Got> {
  const { userId, role, ids, pairs, isBroken } = asked
  const query = new URLSearchParams(pairs.map(([name, value]): [string, string] => [name, value]))
  const caller = encodeURIComponent(JSON.stringify({ userId, role, ids }))
  const url = `${path}?${query}${isBroken ? '&x=%ff' : ''}`
  const { statusCode, body } = await app.inject({ url, headers: { caller } })
  const { status, message, error, page, limit, total, [key]: items, ...others } = JSON.parse(body)
  const isError = status === statusCode && typeof error === 'string'
  const isRight = statusCode === 200 ? status === 'success' && message === 'Found.' : isError
  if (!isRight || Object.keys(others).length > 0) return { status: statusCode, error: body }
  return { status: statusCode, error, page, limit, total, items: items?.map((item: unknown) => JSON.stringify(item)) }
}

/** The query of a call: some values as numbers and booleans, and several values as an array. */
function queryOf(random: Random, plan: RandomList, { pairs }: Asked): object {
  const known = parametersOf(plan)
  const given = new Map<string, unknown[]>()
  for (const [name, text] of pairs) {
    const of = known.get(name)
    const column = typeof of === 'object' ? plan.columns[of.column] : undefined
    const isBoolean = typeof of === 'object' && (of.sort === 'present' || column?.kind === 'boolean')
    const isNumber =
      of === 'page' || of === 'limit' || (typeof of === 'object' && of.sort === 'range' && column?.kind !== 'date')
    const asIs = random.chance(0.5)
    const value =
      isBoolean && ['true', 'false'].includes(text) && !asIs
        ? text === 'true'
        : isNumber && String(Number(text)) === text && hasAllDigits(Number(text)) && !asIs
          ? Number(text)
          : text
    given.set(name, [...(given.get(name) ?? []), value])
  }
  return Object.fromEntries(
    [...given].map(([name, values]) => [name, values.length === 1 && random.chance(0.8) ? values[0] : values])
  )
}

/** `each` has no `page` and no `limit`, so it refuses some of these. */
const pairsForEach = (random: Random, pairs: Asked['pairs']) =>
  random.chance(0.1) ? pairs : pairs.filter(([name]) => name !== 'page' && name !== 'limit')

const expectedOf = (oracle: Oracle, asked: Asked, way: Way) =>
  way === 'each' ? oracle.each(asked) : oracle.page(asked)

/** @returns the first difference */
function problemOf(expected: Expected, got: Got, way: Way): string | undefined {
  if (expected.status !== 200 || got.status !== 200) {
    const isSame =
      expected.status === 500 ||
      (expected.status === 403 ? got.error === 'Forbidden.' : namesMistake(expected, got.error))
    const [wanted, other] = [expected, got].map((answer) => JSON.stringify(answer).slice(0, 2000))
    return got.status === expected.status && isSame ? undefined : `got ${other}, expected ${wanted}`
  }
  const { items = [] } = got
  const wrong = (['total', 'page', 'limit'] as const).find((name) => way !== 'each' && got[name] !== expected[name])
  const at = expected.items.findIndex((item, place) => item !== items[place])
  if (!wrong && at < 0 && items.length === expected.items.length) return undefined
  const shown = (items: string[]) => `${items.length} items: ${items.slice(Math.max(0, at), at + 3).join('\n    ')}`
  const total = wrong ? `${wrong}: got ${got[wrong]}, expected ${expected[wrong]}\n  ` : ''
  return `${total}from item ${at} on, got ${shown(items)}\n  expected ${shown(expected.items)}`
}

const sameText = 'The same with fewer parameters: '

/** Leaves out the parameters without which the difference stays. */
async function reportOf(ask: Ask, oracle: Oracle, asked: Asked, way: Way, problem: string, random: Random) {
  let [smallest, smallestProblem] = [asked, problem]
  for (const pair of asked.pairs) {
    const fewer = { ...smallest, pairs: smallest.pairs.filter((other) => other !== pair) }
    const found = problemOf(expectedOf(oracle, fewer, way), await ask(fewer, way, random), way)
    if (found) [smallest, smallestProblem] = [fewer, found]
  }
  // Only calls know why they failed.
  const { status, error } = way === 'http' ? await ask(smallest, 'find', random) : { status: 0, error: '' }
  if (status === 500) smallestProblem += `; ${error}`
  return `${way}: ${JSON.stringify(asked)}\n  ${problem}\n${sameText}${JSON.stringify(smallest)}\n  ${smallestProblem}`
}

/** Whether a number is a text that the lists take: no NaN, and no whole number whose last digits are lost. */
const hasAllDigits = (number: number) =>
  Number.isFinite(number) && (!Number.isInteger(number) || Number.isSafeInteger(number))
