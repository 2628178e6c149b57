/** Cache of compiled statements for all lists and databases of a registration. */
import { LRUCache } from 'lru-cache'

/** Without query nodes, which take 20 times the memory. */
export interface Statement {
  readonly sql: string
  readonly parameters: readonly unknown[]
}

export interface StatementCache {
  get(key: string): Statement | undefined
  set(key: string, statement: Statement): unknown
}

/** Estimated bytes of an entry without its texts. */
const overhead = { entry: 500, parameter: 100 }

/** @param maxSize estimated bytes */
export const statementCache = (maxSize = 8_000_000): StatementCache =>
  new LRUCache<string, Statement>({
    maxSize,
    sizeCalculation: ({ sql, parameters }, key) =>
      key.length + sql.length + overhead.entry + parameters.length * overhead.parameter
  })
