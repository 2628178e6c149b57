/** What a check works on: one list of a server, and what each caller sees of it. */

import { columnsOf, type RecordName } from '../database/tables.js'
import type { List } from '../lists/list.js'
import type { Reach } from '../lists/reach.js'
import type { Settings } from '../options/settings.js'
import { type Answer, type Asker, ask, type ConformanceServer, fail, type Query } from './client.js'

/** Somebody who may use the lists, and whose records they should see on each: `assessments: 'linked'`. */
export interface ConformanceCaller extends Asker, Readonly<Record<RecordName, Reach>> {
  /** The id that `resolveRole` returns for the caller. */
  readonly userId: number | bigint | string
  /**
   * The ids of the users whom `links` gives to the caller.
   *
   * @default none
   */
  readonly linked?: readonly (number | bigint | string)[] | undefined
}

/** A record, with the answer that it came in. */
export interface Found {
  readonly id: string
  readonly item: Readonly<Record<string, unknown>>
  readonly answer: Answer
}

export interface Page {
  readonly answer: Answer
  readonly total: number
  readonly found: readonly Found[]
}

/** What a caller sees without search and filters: the default page, then pages of one size up to `maxPages`. */
export interface Walk {
  readonly first: Page
  readonly limit: number
  readonly pages: readonly Page[]
  /** The records of the pages, the newest first. */
  readonly found: readonly Found[]
  /** They are all that the caller sees. */
  readonly complete: boolean
}

export type Parameters = Readonly<Record<string, string | number>>

/** Pages of a walk. */
const maxPages = 5

export class Subject {
  readonly #walks = new Map<ConformanceCaller, Promise<Walk>>()

  constructor(
    readonly list: List,
    readonly settings: Settings,
    readonly callers: readonly ConformanceCaller[],
    private readonly server: ConformanceServer,
    private readonly prefix: string
  ) {}

  /** The callers who may see some records. */
  get allowed(): ConformanceCaller[] {
    return this.callers.filter((caller) => this.reachOf(caller) !== 'none')
  }

  reachOf(caller: ConformanceCaller): Reach {
    return caller[this.list.records]
  }

  /** Whether a record is within the caller's reach. */
  within(caller: ConformanceCaller): (found: Found) => boolean {
    const reach = this.reachOf(caller)
    const users = new Set([caller.userId, ...(reach === 'linked' ? (caller.linked ?? []) : [])].map(String))
    return ({ item }) => reach === 'all' || users.has(String(item.user_id))
  }

  ask(asker: Asker, query: Query): Promise<Answer> {
    return ask(this.server, asker, `${this.prefix}${this.list.path}`, query)
  }

  /** A page of the list, read with patience: what its fields hold is for a check of its own. */
  async page(caller: ConformanceCaller, parameters: Parameters = {}): Promise<Page> {
    const answer = await this.ask(caller, Object.entries({ search: '', ...parameters }))
    const { [this.list.key]: items, error } = answer.body
    const hint = answer.status === 404 ? " Is the option 'prefix' right?" : ''
    if (answer.status !== 200) fail(answer, `expected a page, got ${answer.status} '${error}'.${hint}`)
    if (!Array.isArray(items)) fail(answer, `expected an array '${this.list.key}'.`)
    const [idName] = columnsOf[this.list.records]
    const found = items.map(Object).map((item) => ({ id: String(item[idName]), item, answer }))
    return { answer, total: Number(answer.body.total), found }
  }

  /** Asks once, however many checks need it. */
  walk(caller: ConformanceCaller): Promise<Walk> {
    const walk = this.#walks.get(caller) ?? this.#walk(caller)
    this.#walks.set(caller, walk)
    return walk
  }

  async #walk(caller: ConformanceCaller): Promise<Walk> {
    const first = await this.page(caller)
    const limit = Math.min(Math.ceil(first.total / maxPages) || 1, this.settings.maxLimit)
    const pages: Page[] = []
    for (let number = 1; number <= Math.min(Math.ceil(first.total / limit) || 1, maxPages); number++) {
      pages.push(await this.page(caller, { page: number, limit }))
    }
    const found = pages.flatMap(({ found }) => found)
    return { first, limit, pages, found, complete: first.total <= maxPages * limit }
  }
}
