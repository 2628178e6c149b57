/** Compiles statements, and keeps them: each shape once, because building queries is the slowest step of a small page. */
import { LRUCache } from 'lru-cache'
import type { Row } from '../../database/cells.js'
import { bindSlots, type CachedStatement, slotFor } from '../../database/parameter.js'
import type { Session } from '../../database/session.js'
import { maxStatementBytes, statementOverhead } from '../../limits.js'
import { keyOfShape, type Matches, type Question, shapeOf } from '../asked/question.js'
import type { Fitted } from '../fitted/fitted-sql.js'
import type { Run, Statement } from './statement.js'

/** Keeps statements without their query nodes, which take 20 times the memory. */
export type StatementCache = Pick<LRUCache<string, CachedStatement>, 'get' | 'set'>

/** @param maxSize estimated bytes */
export const statementCache = (maxSize = maxStatementBytes): StatementCache =>
  new LRUCache<string, CachedStatement>({
    maxSize,
    sizeCalculation: ({ sql, parameters }, key) =>
      key.length + sql.length + statementOverhead.entry + parameters.length * statementOverhead.parameter
  })

/** A statement with ids serves no other question. Without ids, it matters which sides are known. */
export const keyWith = ({ users, records }: Matches = {}, ...parts: readonly unknown[]): Statement<unknown>['key'] =>
  users?.length || records?.length ? undefined : [...parts, users?.length, records?.length]

/** The shape of a question with a slot in the place of each text, and the values of the slots. */
export function slotted(question: Question) {
  const values: Record<string, unknown> = {}
  const shape = shapeOf(question, (text, form, name) => {
    values[name] = text
    return slotFor(name, form)
  })
  return { shape, values }
}

/** Runs the statements of a question in a session. */
export function runnerOf(question: Question, fitted: Fitted, session: Session, cache: StatementCache): Run {
  const compiled = compiling(question, fitted, session, cache)
  const { maxMilliseconds, readCell } = fitted
  return async (statement, milliseconds = maxMilliseconds) => {
    const query = compiled(statement)
    const run = () => session.run(query, Math.min(milliseconds, maxMilliseconds))
    return statement.read(await session.timed(statement.step, run), readCell, question)
  }
}

/** Returns what compiles the statements of a question. */
export function compiling(
  question: Question,
  fitted: Fitted,
  { compile }: Pick<Session, 'compile'>,
  cache: StatementCache
) {
  const { shape, values } = slotted(question)
  const shapeKey = `${fitted.number} ${keyOfShape(shape)}`

  return ({ key: parts, values: own, ...statement }: Statement<unknown>) => {
    const key = parts && [shapeKey, ...parts].join()
    let kept = key === undefined ? undefined : cache.get(key)
    if (!kept) {
      const { sql, parameters } = compile(statement.sql(shape, fitted))
      // V8 keeps all parts of a concatenated string in memory until `trimStart` flattens the string.
      kept = { sql: sql.trimStart(), parameters }
      if (key !== undefined) cache.set(key, kept)
    }
    // Every page sets its span. A copy of the values would take longer than everything else here.
    return bindSlots<Row>(kept, Object.assign(values, own))
  }
}
