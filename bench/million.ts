/** What the benchmarks of a few statements share: a table of a million records, and times that a busy machine changes alike. */
import { availableParallelism, cpus } from 'node:os'
import { sql } from 'kysely'
import { type DatabaseName, type Db, dateTime, openDatabase } from '../test/support/servers/databases.js'

export const records = 1_000_000

export interface Table {
  name: string
  /** The type of each column, and its value for the record of the number `n`. */
  columns: Record<string, readonly [type: string, value: string]>
  /** The column of the time. */
  time: string
  /** The columns of each index. */
  indexes: readonly string[]
}

/** Each row is 97 seconds after the one before. */
export async function fill(db: Db, database: DatabaseName, { name, columns, time, indexes }: Table): Promise<void> {
  const run = (text: string) => sql.raw(text).execute(db)
  const numbers = `with recursive n as (select 1 as n union all select n + 1 from n where n < ${records})`
  const { before, from, moment } = {
    sqlite: { before: numbers, from: 'n', moment: "datetime('2020-01-01', '+' || (n * 97) || ' seconds')" },
    mysql: {
      before: '',
      from: `(select seq as n from seq_1_to_${records}) as n`,
      moment: "date_add('2020-01-01', interval n * 97 second)"
    },
    postgres: {
      before: '',
      from: `generate_series(1, ${records}) as n`,
      moment: "timestamp '2020-01-01' + n * interval '97 seconds'"
    }
  }[database]
  const all = Object.entries({ id: ['bigint primary key', 'n'], ...columns, [time]: [dateTime(database), moment] })
  await run(`create table ${name} (${all.map(([column, [type]]) => `${column} ${type}`).join()})`)
  await run(`${before} insert into ${name} select ${all.map(([, [, value]]) => value).join()} from ${from}`)
  for (const index of indexes) await run(`create index by_${index.replace(/\W+/g, '_')} on ${name} (${index})`)
  await run(database === 'mysql' ? `analyze table ${name}` : 'analyze')
}

/** Opens each database in turn, and closes it after the work. */
export async function onEach(work: (database: DatabaseName, db: Db) => Promise<void>): Promise<void> {
  for (const database of ['sqlite', 'mysql', 'postgres'] as const) {
    const ends: (() => unknown)[] = []
    const db = await openDatabase({ teardown: (end: () => unknown) => ends.push(end) } as never, database)
    await work(database, db)
    for (const end of ends.reverse()) await end()
  }
}

/** The medians in milliseconds. The works take turns, so that a busy machine is busy for all of them. */
export async function medians(rounds: number, ...works: (() => Promise<unknown>)[]): Promise<number[]> {
  const times = works.map((): number[] => [])
  for (let round = 0; round < rounds; round++) {
    for (const [place, work] of works.entries()) {
      const start = performance.now()
      await work()
      times[place]?.push(performance.now() - start)
    }
  }
  return times.map((each) => each.sort((one, other) => one - other)[Math.floor(rounds / 2)] as number)
}

/** The machine, for the first line. */
export const machine = `${availableParallelism()} × ${cpus()[0]?.model}, Node.js ${process.version}`
