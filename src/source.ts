/**
 * The host's database, ready to be asked through its relations. This is the only file that knows the
 * host's Kysely instance as anything but a structure, and the only one that casts it.
 */
import type { FastifyRequest } from 'fastify'
import { type Expression, type FromNode, type Kysely, type SelectQueryBuilder, TableNode } from 'kysely'
import { describe } from './describe.js'
import type { Dialect } from './dialect.js'
import { dialectOf } from './dialects/index.js'
import { Failure } from './errors.js'
import { columnsOf, type Database, isDatabase, type RelationName, type Relations, relationNames } from './relations.js'

/** Any table with any columns: what there really is, the relations say. */
type Tables = Record<string, Record<string, unknown>>

/** A host's database, ready to be asked. */
export interface Source {
  readonly dialect: Dialect
  /** The host's Kysely without its plugins: they have done their work in `relation`. */
  readonly db: Kysely<Tables>
  /** The relation with our column names: its table, or `(select … from …)` as the host or its plugins make it. */
  relation(name: RelationName): Expression<unknown>
  /** Its columns, of which the first is what others refer to it by. Practitioners that are not given are the users. */
  columns(name: RelationName): readonly string[]
  /** What stands for each relation now: the same objects as long as nothing is changed by a plugin. */
  nodes(): object[]
  /**
   * The host's instance, when two equal statements on it surely read the same data; none where it
   * carries plugins, which may send each request elsewhere.
   */
  readonly shareable: object | undefined
}

/** Looks at a host's database through its relations. Throws when the kind of database is not supported. */
export function sourceOf(database: Database, relations: Relations): Source {
  const db = database as unknown as Kysely<Tables>
  const plain = db.withoutPlugins()
  const { plugins } = db.getExecutor()
  // A name goes through the host's own instance, so that its plugins (schema, tenant) apply to it once.
  // The queries around it run without them: they would act twice, and rename our columns.
  const selectOf = (name: RelationName): Expression<unknown> => {
    const given = relations[name]
    if (typeof given === 'object') return given as unknown as SelectQueryBuilder<Tables, string, unknown>
    const select = db.selectFrom(given ?? name).select([...columnsOf[name]])
    return plugins.length === 0 ? tableOf(select) : select
  }
  const standIn = (name: RelationName): RelationName =>
    name === 'practitioners' && relations.practitioners === undefined ? 'users' : name
  const selects = new Map(relationNames.map((name) => [name, selectOf(standIn(name))]))
  return {
    dialect: dialectOf(db),
    db: plain,
    relation: (name) => selects.get(name) as Expression<unknown>,
    columns: (name) => columnsOf[standIn(name)],
    nodes: () => [...selects.values()].map((select) => select.toOperationNode()),
    shareable: plugins.length === 0 ? database : undefined
  }
}

/** The table itself, which a database plans sooner than a select of its columns: `assessments`. */
function tableOf(select: SelectQueryBuilder<Tables, string, unknown>): Expression<unknown> {
  const [table] = (select.toOperationNode().from as FromNode).froms
  return table && TableNode.is(table) ? { expressionType: undefined, toOperationNode: () => table } : select
}

/** Gives the source of the host's database for a request. */
export type SourceOf = (request: FastifyRequest) => Source

/** The host's database or databases, and its relations. */
export interface Given {
  db: Database | ((request: FastifyRequest) => Database)
  relations: Relations
}

export function sourcesOf({ db, relations }: Given): SourceOf {
  if (typeof db === 'object') {
    const source = sourceOf(db, relations)
    return () => source
  }
  const sources = new WeakMap<Database, Source>()
  return (request) => {
    const database: unknown = db(request)
    if (!isDatabase(database)) {
      const problem = `The function 'db' must return a Kysely instance; it returned ${describe(database)}.`
      throw new Failure('internal', problem)
    }
    const source = sources.get(database) ?? sourceOf(database, relations)
    sources.set(database, source)
    return source
  }
}
