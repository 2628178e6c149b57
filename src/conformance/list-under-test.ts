/** The input of each check: one list of the server. */

import type { List } from '../lists/list.js'
import type { RoleReach } from '../lists/roles.js'
import type { AnswerSettings } from '../options/settings.js'
import { viewOf } from '../visibility/allowed-parameters.js'
import { type Grant, type Grants, heldBy, isEverything, linkTables } from '../visibility/grants.js'
import { missingId } from '../visibility/refused-callers.js'
import { grantsFor, reachOf } from '../visibility/role-grants.js'
import { type Answer, type Asker, ask, fail, type QueryPairs } from './client.js'
import { type AnyCaller, type ConformanceHost, callerOf, linkedOf } from './host.js'

export interface SeenItem {
  readonly id: string
  /** Undefined in a list without users. */
  readonly owner: string | undefined
  readonly item: Readonly<Record<string, unknown>>
  readonly answer: Answer
}

export interface SeenPage {
  readonly answer: Answer
  readonly total: number
  /** The `after` of the next page, in a list whose pages follow a record. */
  readonly next: string | undefined
  readonly found: readonly SeenItem[]
}

/** Unfiltered answers: the default page, then `maxPages` pages of `limit` records, or `maxSteps` after each other. */
export interface Walk {
  readonly caller: AnyCaller
  readonly first: SeenPage
  readonly limit: number
  readonly pages: readonly SeenPage[]
  readonly found: readonly SeenItem[]
  /** Whether `pages` holds all records of the caller. */
  readonly complete: boolean
}

export type Parameters = Readonly<Record<string, string | number | readonly string[]>>

const maxPages = 5

/** Pages that follow a record have to be read one after the other. */
export const maxSteps = 200

const hints: Readonly<Record<number, string>> = {
  404: " Is the option 'prefix' right?",
  500: ' The log of the server says why: Fastify({ logger: true }).'
}

/** The fields that show a column, such as `r.user_id`. */
export const fieldsOf = ({ fields }: List, path: string): string[] =>
  Object.keys(fields).filter((name) => fields[name]?.column === path)

/** The field that shows a column in every item. */
export const fieldOf = (list: List, path: string): string | undefined =>
  fieldsOf(list, path).find((name) => !list.fields[name]?.roles)

export class ListUnderTest {
  readonly #walks = new Map<AnyCaller, Promise<Walk>>()

  constructor(
    readonly list: List,
    readonly settings: AnswerSettings,
    readonly host: ConformanceHost<readonly AnyCaller[]>,
    private readonly prefix: string
  ) {}

  get callers(): readonly AnyCaller[] {
    return this.host.callers
  }

  /** The first caller who sees every record, or every record of the tenant of another caller. */
  widestFor(caller?: AnyCaller): AnyCaller | undefined {
    const tenantOf = (of: AnyCaller) =>
      JSON.stringify(Object.values(this.list.within).map((name) => callerOf(of).ids[name]))
    const isOfTenant = (each: AnyCaller) => !caller || tenantOf(each) === tenantOf(caller)
    return this.allowed.find((each) => isEverything(this.reachOf(each)) && isOfTenant(each))
  }

  /** The callers who get pages. */
  get allowed(): AnyCaller[] {
    const { list } = this
    return this.callers.filter((each) => each.reach[list.name] !== 'none' && !missingId(list, callerOf(each)))
  }

  /** The grants of the expected reach whose ids the caller has. */
  reachOf(caller: AnyCaller): Grants {
    return heldBy(callerOf(caller), reachOf(caller.reach[this.list.name] as RoleReach, this.list))
  }

  /** The grants of the caller's roles, with the fields that they hide. Undefined if the host does not say the roles. */
  grantsOf(caller: AnyCaller): Grants | undefined {
    return caller.role === undefined ? undefined : (grantsFor(this.list, callerOf(caller)) ?? [])
  }

  /** The list as the caller's roles see it, if the host says the roles. */
  listOf(caller: AnyCaller): List {
    return caller.role === undefined ? this.list : viewOf(this.list, callerOf(caller).roles)
  }

  /** A column of the reach that no item shows, so that nobody can tell whether a record is within it. */
  hiddenColumn(caller: AnyCaller): string | undefined {
    const viewer = this.widestFor(caller) ?? caller
    const list = this.listOf(viewer)
    // The widest caller of a tenant stands for its other callers.
    const within = viewer === caller ? Object.keys(list.within) : []
    const columns = [...this.columnsOf(this.reachOf(caller)), ...within]
    return columns.find((column) => fieldOf(list, `r.${column}`) === undefined)
  }

  /** The columns that decide whether grants reach a record. */
  columnsOf(grants: Grants): string[] {
    const ofGrant = ({ column, where = [] }: Grant) => [column ?? [], where.map(([name]) => name)].flat()
    return [...new Set(grants.flatMap(ofGrant))]
  }

  /** Reads a column in the caller's item, or else in the widest caller's item of the record. */
  async readerFor(caller: AnyCaller): Promise<(found: SeenItem, column: string) => string | undefined> {
    const widest = this.widestFor(caller)
    const items = new Map((widest ? (await this.walk(widest)).found : []).map(({ id, item }) => [id, item]))
    return ({ id, item }, column) => {
      const cells = { ...items.get(id), ...item }
      const field = fieldsOf(this.list, `r.${column}`).find((name) => Object.hasOwn(cells, name))
      return field && String(cells[field] ?? '')
    }
  }

  /** Whether grants reach a record. Undefined if no item shows a column that decides. */
  async within(caller: AnyCaller, grants = this.reachOf(caller)): Promise<(found: SeenItem) => boolean | undefined> {
    const read = await this.readerFor(caller)
    const { userId, ids } = callerOf(caller)
    const linked: Partial<ReturnType<typeof linkedOf>> = { links: [], ...linkedOf(caller) }
    const idOf = (name?: string) => (name === undefined ? userId : ids[name])
    const isOneOf = (column: string, values: readonly unknown[] = []) => {
      const texts = new Set(values.map((value) => String(value ?? '')))
      return (found: SeenItem, text = read(found, column)) => text === undefined || texts.has(text)
    }
    const within = Object.entries(this.list.within).map(([column, name]) => isOneOf(column, [idOf(name)]))
    const conditions = grants.map(({ column, by, callerId, where = [] }) => {
      const byId = column === undefined ? [] : [isOneOf(column, by === undefined ? [idOf(callerId)] : linked[by])]
      return [...byId, ...where.map(([name, values]) => isOneOf(name, values)), ...within]
    })
    const isKnown = linkTables(grants).every((by) => linked[by])
    const columns = this.columnsOf(grants)
    return (found) => {
      if (!isKnown || columns.some((column) => read(found, column) === undefined)) return undefined
      return conditions.some((each) => each.every((holds) => holds(found)))
    }
  }

  ask(asker: Asker, query: QueryPairs, path = this.list.path): Promise<Answer> {
    return ask(this.host.app, asker, `${this.prefix}${path}`, query)
  }

  pathOf(id = 'no such record'): string {
    return String(this.list.record?.path).replace(/:\w+/, () => encodeURIComponent(id))
  }

  /** Accepts items of any form, which another check reports. */
  async page(caller: AnyCaller, parameters: Parameters = {}): Promise<SeenPage> {
    const given: Parameters = {
      ...(this.listOf(caller).parameters.search && { search: '' }),
      ...(this.list.paging === 'after' && { total: 'true' }),
      ...parameters
    }
    const pairs = Object.entries(given).flatMap(([name, value]) => [value].flat().map((each) => [name, each] as const))
    const answer = await this.ask(caller, pairs)
    const { [this.list.key]: items, error } = answer.body
    if (answer.status !== 200) {
      fail(answer, `expected a page, got ${answer.status} '${error}'.${hints[answer.status] ?? ''}`)
    }
    if (!Array.isArray(items)) fail(answer, `expected an array '${this.list.key}'.`)
    const owner = String(fieldsOf(this.list, `r.${this.list.owner}`)[0])
    const found = items.map(Object).map((item) => ({
      id: String(item[this.list.id]),
      owner: this.list.owner && String(item[owner] ?? ''),
      item,
      answer
    }))
    const { next } = answer.body
    return { answer, total: Number(answer.body.total), next: typeof next === 'string' ? next : undefined, found }
  }

  walk(caller: AnyCaller): Promise<Walk> {
    const walk = this.#walks.get(caller) ?? this.#walk(caller)
    this.#walks.set(caller, walk)
    return walk
  }

  async *walks(): AsyncGenerator<Walk> {
    for (const caller of this.allowed) yield await this.walk(caller)
  }

  async #walk(caller: AnyCaller): Promise<Walk> {
    const first = await this.page(caller)
    const limit = Math.min(Math.ceil(first.total / maxPages) || 1, this.settings.maxLimit)
    const pages: SeenPage[] = []
    const last = Math.min(Math.ceil(first.total / limit) || 1, maxPages)
    if (this.list.paging === 'after') for await (const page of this.following(caller, { limit })) pages.push(page)
    else for (let page = 1; page <= last; page++) pages.push(await this.page(caller, { page, limit }))
    const found = pages.flatMap(({ found }) => found)
    const complete = this.list.paging === 'after' ? pages.at(-1)?.next === undefined : first.total <= maxPages * limit
    return { caller, first, limit, pages, found, complete }
  }

  async *following(caller: AnyCaller, parameters: Parameters): AsyncGenerator<SeenPage> {
    let next: string | undefined
    for (let step = 0; step < maxSteps && (step === 0 || next !== undefined); step++) {
      const page = await this.page(caller, { ...parameters, ...(next !== undefined && { after: next }) })
      next = page.next
      yield page
    }
  }
}
