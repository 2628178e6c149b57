/** What each caller of a list gets: pages, and the items on them. */
import type { List, Path } from '../lists/list.js'
import type { RoleReach } from '../lists/roles.js'
import type { AnswerSettings } from '../options/settings.js'
import { viewOf } from '../visibility/allowed-parameters.js'
import type { Caller } from '../visibility/caller.js'
import { type Grants, heldBy } from '../visibility/grant.js'
import { reachOf } from '../visibility/reach-of-role.js'
import { missingId } from '../visibility/tenant-id.js'
import { type Answer, type Asker, ask, fail, type Query } from './client.js'
import { type AnyCaller, type AnyHost, callerOf } from './host.js'

export type Item = Readonly<Record<string, unknown>>

export interface SeenItem {
  readonly id: string
  readonly item: Item
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
  readonly first: SeenPage
  readonly limit: number
  readonly pages: readonly SeenPage[]
  readonly found: readonly SeenItem[]
  /** Whether `pages` holds all records of the caller. */
  readonly complete: boolean
}

const maxPages = 5

/** Pages that follow a record have to be read one after the other. */
export const maxSteps = 200

const hints: Readonly<Record<number, string>> = {
  404: " Is the option 'prefix' right?",
  500: ' The log of the server says why: Fastify({ logger: true }).'
}

/** The input of each check: one list of the server. */
export class ListUnderTest {
  /** The callers who get pages. */
  readonly viewers: readonly Viewer[]

  constructor(
    readonly list: List,
    readonly settings: AnswerSettings,
    readonly host: AnyHost,
    private readonly prefix: string
  ) {
    const isViewer = (each: AnyCaller) => each.reach[list.name] !== 'none' && !missingId(list, callerOf(each))
    this.viewers = host.callers.filter(isViewer).map((each) => new Viewer(this, each))
  }

  ask(asker: Asker, path: string, query: Query = {}): Promise<Answer> {
    return ask(this.host.app, asker, `${this.prefix}${path}`, query)
  }
}

/** A caller who gets pages of a list. */
export class Viewer {
  readonly caller: Caller
  /** The list as the roles of the caller see it, if the host says the roles. */
  readonly view: List
  /** The grants of the expected reach whose ids the caller has. */
  readonly reach: Grants
  readonly maxLimit: number
  #walk: Promise<Walk> | undefined

  constructor(
    readonly tested: ListUnderTest,
    readonly given: AnyCaller
  ) {
    const { list, settings } = tested
    this.caller = callerOf(given)
    this.view = given.role === undefined ? list : viewOf(list, this.caller.roles)
    this.reach = heldBy(this.caller, reachOf(given.reach[list.name] as RoleReach, list))
    this.maxLimit = settings.maxLimit
  }

  /** Accepts items of any form, which another check reports. */
  async page(query: Query = {}): Promise<SeenPage> {
    const { path, key, id, paging, parameters } = this.view
    const always = { ...(parameters.search && { search: '' }), ...(paging === 'after' && { total: 'true' }) }
    const answer = await this.tested.ask(this.given, path, { ...always, ...query })
    const { [key]: items, total, next, error } = answer.body
    const hint = hints[answer.status] ?? ''
    if (answer.status !== 200) fail(answer, `expected a page, got ${answer.status} '${error}'.${hint}`)
    if (!Array.isArray(items)) fail(answer, `expected an array '${key}'.`)
    const found = items.map(Object).map((item) => ({ id: String(item[id]), item, answer }))
    return { answer, total: Number(total), next: typeof next === 'string' ? next : undefined, found }
  }

  walk(): Promise<Walk> {
    this.#walk ??= this.#read()
    return this.#walk
  }

  async #read(): Promise<Walk> {
    const first = await this.page()
    const limit = Math.min(Math.ceil(first.total / maxPages) || 1, this.maxLimit)
    const last = Math.min(Math.ceil(first.total / limit) || 1, maxPages)
    const isAfter = this.view.paging === 'after'
    const pages: SeenPage[] = []
    if (isAfter) for await (const page of this.following({ limit })) pages.push(page)
    else for (let page = 1; page <= last; page++) pages.push(await this.page({ page, limit }))
    const complete = isAfter ? pages.at(-1)?.next === undefined : first.total <= maxPages * limit
    return { first, limit, pages, found: pages.flatMap(({ found }) => found), complete }
  }

  async *following(query: Query): AsyncGenerator<SeenPage> {
    let page = await this.page(query)
    yield page
    for (let step = 1; step < maxSteps && page.next !== undefined; step++) {
      page = await this.page({ ...query, after: page.next })
      yield page
    }
  }
}

/** The fields that show a column, such as `r.user_id`. */
export const fieldsOf = ({ fields }: List, path: Path): string[] =>
  Object.keys(fields).filter((name) => fields[name]?.column === path)

/** The field that shows a column in every item. */
export const fieldOf = (list: List, path: Path): string | undefined =>
  fieldsOf(list, path).find((name) => !list.fields[name]?.roles)

/** The value of a column. Undefined where the item does not show the column. */
export const valueIn = (item: Item, list: List, path: Path): unknown =>
  item[String(fieldsOf(list, path).find((name) => Object.hasOwn(item, name)))]
