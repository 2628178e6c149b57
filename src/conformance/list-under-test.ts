/** The input of each check: one list of the server. */
import type { List } from '../lists/list.js'
import { partsOf, type ResolvedReach, type RoleReach, reachOf } from '../lists/reach.js'
import { viewOf } from '../lists/view.js'
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
    return this.callers.find((caller) => this.reachOf(caller) === 'all')
  }

  get allowed(): AnyCaller[] {
    return this.callers.filter((caller) => this.reachOf(caller) !== 'none')
  }

  reachOf(caller: AnyCaller): ResolvedReach {
    return reachOf(caller.reach[this.list.name] as RoleReach, this.list)
  }

  /** The list as the caller's role sees it, if the host says the role. */
  listOf({ role }: AnyCaller): List {
    return role === undefined ? this.list : viewOf(this.list, role)
  }

  /** A column of the reach that an item does not show, so that nobody can see whether a record is in the reach. */
  hiddenColumn(caller: AnyCaller): string | undefined {
    const lists = [caller, this.widest ?? caller].map((viewer) => this.listOf(viewer))
    const isHidden = (column: string) => lists.some((list) => this.fieldOf(`r.${column}`, list) === undefined)
    return partsOf(this.reachOf(caller)).find(({ column }) => isHidden(column))?.column
  }

  /** @param viewer whose items are asked about */
  within(caller: AnyCaller, viewer = caller): (found: SeenItem) => boolean {
    const reach = this.reachOf(caller)
    const parts = partsOf(reach).map(({ column, by }) => ({
      field: String(this.fieldOf(`r.${column}`, this.listOf(viewer))),
      ids: new Set((by === undefined ? [caller.userId] : (linkedOf(caller)[by] ?? [])).map(String))
    }))
    return ({ item }) => reach === 'all' || parts.some(({ field, ids }) => ids.has(String(item[field] ?? '')))
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
