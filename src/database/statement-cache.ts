/** The memory for compiled statements: one bound for all lists and databases of a registration. */
import { LRUCache } from 'lru-cache'

/** A compiled statement, without the nodes that it was compiled from. They weigh 20 times as much. */
export interface Statement {
  readonly sql: string
  readonly parameters: readonly unknown[]
}

export interface StatementCache {
  get(key: string): Statement | undefined
  set(key: string, statement: Statement): unknown
}

/** The bytes that an entry takes beside its texts, and each of its parameters. */
const overhead = { entry: 500, parameter: 100 }

/** @param maxSize about as many bytes; the statements that were used least recently go first */
export const statementCache = (maxSize = 8_000_000): StatementCache =>
  new LRUCache<string, Statement>({
    maxSize,
    sizeCalculation: ({ sql, parameters }, key) =>
      key.length + sql.length + overhead.entry + parameters.length * overhead.parameter
  })
