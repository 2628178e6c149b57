/** Answers without a transaction, in one round trip, where a session has the settings that a transaction would set. */
import type { WholeSql } from '../database/dialect.js'
import type { Session } from '../database/session.js'
import type { Tables } from '../database/source.js'
import { directPause } from '../limits.js'
import type { Fitted } from './fitted/fitted-sql.js'
import { wholeCells } from './sql/items.js'

/** Thrown for the rows of a session with other settings. */
const wrongSettings = new Error('The request needs a transaction.')

/** Resolves to undefined where work needs a transaction. `timeout`: the milliseconds that a session may allow. */
export function directly(timeout: number) {
  /** When the tables are read without a transaction again, in the time of `performance.now()`. */
  const pauses = new WeakMap<Tables, number>()

  return async <Answer>(session: Session, fitted: Fitted, whole: WholeSql, work: (on: Session) => Promise<Answer>) => {
    const { directLimit, readCell, tables } = fitted
    if (directLimit > timeout || performance.now() < (pauses.get(tables) ?? 0)) return undefined
    const direct = session.direct()
    const run: Session['run'] = async (...statement) => {
      const rows = await direct.run(...statement)
      // A statement that does not tell its settings is wrong, too.
      if (whole.limitUnder(readCell(rows[0]?.[wholeCells.settings])) > timeout) throw wrongSettings
      return rows
    }
    try {
      return await work({ ...direct, run })
    } catch (error) {
      if (error !== wrongSettings) throw error
      pauses.set(tables, performance.now() + directPause)
      return undefined
    }
  }
}
