/** The input of each check: one list of the server. */
import type { List } from '../lists/list.js'
import { type Grant, type Grants, isEverything, type RoleReach, reachOf } from '../lists/reach.js'
import { grantsFor, viewOf } from '../lists/view.js'
import type { AnswerSettings } from '../options/settings.js'
import { type Answer, type Asker, ask, fail, type QueryPairs } from './client.js'
import { type AnyCaller, type ConformanceHost, linkedOf } from './host.js'

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
  readonly found: readonly SeenItem[]
}

/** Unfiltered answers to a caller: the default page, then at most `maxPages` pages of `limit` records. */
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

const hints: Readonly<Record<number, string>> = {
  404: " Is the option 'prefix' right?",
  500: ' The log of the server says why: Fastify({ logger: true }).'
}

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

  /** The caller who sees every record. */
  get widest(): AnyCaller | undefined {
    return this.callers.find((caller) => isEverything(this.reachOf(caller)))
  }

  get allowed(): AnyCaller[] {
    return this.callers.filter((caller) => this.reachOf(caller).length > 0)
  }

  reachOf(caller: AnyCaller): Grants {
    return reachOf(caller.reach[this.list.name] as RoleReach, this.list)
  }

  /** The grants of the caller's roles, with the fields that they hide. Undefined if the host does not say the roles. */
  grantsOf({ role, ids = {} }: AnyCaller): Grants | undefined {
    if (role === undefined) return undefined
    const texts = Object.fromEntries(Object.entries(ids).map(([name, id]) => [name, String(id)]))
    return grantsFor(this.list, { roles: [role].flat(), ids: texts }) ?? []
  }

  /** The list as the caller's roles see it, if the host says the roles. */
  listOf(caller: AnyCaller): List {
    const grants = this.grantsOf(caller)
    return grants ? viewOf(this.list, grants) : this.list
  }

  /** A column of the reach that an item does not show, so that nobody can see whether a record is in the reach. */
  hiddenColumn(caller: AnyCaller): string | undefined {
    const lists = [caller, this.widest ?? caller].map((viewer) => this.listOf(viewer))
    const isHidden = (column: string) => lists.some((list) => this.fieldOf(`r.${column}`, list) === undefined)
    return this.columnsOf(this.reachOf(caller)).find(isHidden)
  }

  /** The columns that decide whether grants reach a record. */
  columnsOf(grants: Grants): string[] {
    const ofGrant = ({ column, where = [] }: Grant) => [column ?? [], where.map(([name]) => name)].flat()
    return [...new Set([...grants.flatMap(ofGrant), ...Object.keys(this.list.within)])]
  }

  /** @param viewer whose items are asked about */
  within(caller: AnyCaller, viewer = caller): (found: SeenItem) => boolean {
    const list = this.listOf(viewer)
    const idOf = (name?: string) => (name === undefined ? caller.userId : caller.ids?.[name])
    const isOneOf = (column: string, values: readonly unknown[]) => {
      const field = String(this.fieldOf(`r.${column}`, list))
      const texts = new Set(values.map((value) => String(value ?? '')))
      return ({ item }: SeenItem) => texts.has(String(item[field] ?? ''))
    }
    const within = Object.entries(list.within).map(([column, name]) => isOneOf(column, [idOf(name)]))
    const grants = this.reachOf(caller).map(({ column, by, callerId, where = [] }) => {
      const ids = by === undefined ? [idOf(callerId)] : (linkedOf(caller)[by] ?? [])
      const byId = column === undefined ? [] : [isOneOf(column, ids)]
      return [...byId, ...where.map(([name, values]) => isOneOf(name, values)), ...within]
    })
    return (found) => grants.some((conditions) => conditions.every((holds) => holds(found)))
  }

  /** The field of a column, such as `r.user_id`. Undefined for a column that items do not show. */
  fieldOf(column: string, { fields } = this.list): string | undefined {
    return Object.keys(fields).find((name) => fields[name]?.column === column)
  }

  ask(asker: Asker, query: QueryPairs): Promise<Answer> {
    return ask(this.host.app, asker, `${this.prefix}${this.list.path}`, query)
  }

  /** Accepts items of any form, which another check reports. */
  async page(caller: AnyCaller, parameters: Parameters = {}): Promise<SeenPage> {
    const given: Parameters = { ...(this.listOf(caller).parameters.search && { search: '' }), ...parameters }
    const pairs = Object.entries(given).flatMap(([name, value]) => [value].flat().map((each) => [name, each] as const))
    const answer = await this.ask(caller, pairs)
    const { [this.list.key]: items, error } = answer.body
    if (answer.status !== 200) {
      fail(answer, `expected a page, got ${answer.status} '${error}'.${hints[answer.status] ?? ''}`)
    }
    if (!Array.isArray(items)) fail(answer, `expected an array '${this.list.key}'.`)
    const owner = String(this.fieldOf(`r.${this.list.owner}`))
    const found = items.map(Object).map((item) => ({
      id: String(item[this.list.id]),
      owner: this.list.owner && String(item[owner] ?? ''),
      item,
      answer
    }))
    return { answer, total: Number(answer.body.total), found }
  }

  walk(caller: AnyCaller): Promise<Walk> {
    const walk = this.#walks.get(caller) ?? this.#walk(caller)
    this.#walks.set(caller, walk)
    return walk
  }

  /** The walks of all callers who may see records. */
  async *walks(): AsyncGenerator<Walk> {
    for (const caller of this.allowed) yield await this.walk(caller)
  }

  async #walk(caller: AnyCaller): Promise<Walk> {
    const first = await this.page(caller)
    const limit = Math.min(Math.ceil(first.total / maxPages) || 1, this.settings.maxLimit)
    const pages: SeenPage[] = []
    for (let number = 1; number <= Math.min(Math.ceil(first.total / limit) || 1, maxPages); number++) {
      pages.push(await this.page(caller, { page: number, limit }))
    }
    const found = pages.flatMap(({ found }) => found)
    return { caller, first, limit, pages, found, complete: first.total <= maxPages * limit }
  }
}
