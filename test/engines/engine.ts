/** What the run knows of an engine, and the rows of the table of engines. */

import { markdownTable } from '../support/running/report.mjs'
import type { Db } from '../support/servers/databases.js'
import type { Scope } from '../support/servers/pools.js'
import type { EngineData } from './data.js'
import type { Plain } from './plain.js'

export interface Engine {
  /** The name in the command. */
  name: string
  /** Whether a change must pass it, at the size `short`. */
  isQuick?: boolean
  /** What happens to the statement of a client that leaves. */
  leaving: 'stops' | 'stops at the deadline' | 'runs to its end'
  /** The boot must fail with this message. */
  refused?: RegExp
  start(scope: Scope, plain: Plain): Promise<Started>
}

export interface Started {
  /** The engine with its version. */
  title: string
  /** The database behind the lists. */
  db: Db
  /** A plain server of the same kind with the same data. */
  plain: Db
  /** The servers of the engine that read, reached directly. They are asked for the statements that they run. */
  servers?: Db[]
  /** A node that can die. */
  node?: Node
}

export interface Node {
  /** The node, to be read after "without". */
  name: string
  die(): Promise<void>
  comeBack(): Promise<void>
  /** Whether the others answer while the node is dead. */
  othersAnswer: boolean
}

export interface Row {
  name: string
  title: string
  /** What the start-up check says. */
  boot: string
  tried: number
  identical: number
  deadline: string
  leaving: string
  node: string
  /** Median milliseconds of a request, and how many times those of the plain server, by reach. */
  times: Record<string, Time>
  slowest: Time
  /** What is not as it must be. */
  wrong: string[]
}

export interface Time {
  milliseconds: number
  ratio: number
}

const reaches = ['own', 'linked', 'all']
const headings = [
  ...['engine', 'start-up check', 'requests ', 'identical ', 'deadline', 'leaving client', 'node that dies'],
  ...[...reaches, 'slowest'].map((time) => `${time}, ms `)
]

export const tableOf = (rows: readonly Row[]): string =>
  markdownTable(
    headings,
    rows.map(({ title, boot, tried, identical, deadline, leaving, node, times, slowest }) => [
      ...[title, boot, tried, identical, deadline, leaving, node].map((cell) => cell || '–'),
      ...[...reaches.map((reach) => times[reach]), slowest].map(cellOf)
    ])
  )

const cellOf = (time?: Time): string =>
  time?.milliseconds ? `${time.milliseconds.toFixed(time.milliseconds < 10 ? 1 : 0)} (${time.ratio.toFixed(1)}×)` : '–'

export function documentOf(rows: readonly Row[], { tables }: EngineData, origin: string): string {
  const counts = Object.entries(tables).map(([table, rows]) => `${rows.length.toLocaleString('en')} ${table}`)
  return `# Engines

${origin}; ${counts.join(', ')}. Every server runs on this machine.

Each request is sent to the engine and to one plain server of the same kind with the same data. Two answers are identical if their status, headers and bodies have the same bytes. A time is the median of the requests of callers with this reach, and in brackets how many times as long as on the plain server. Tables behind foreign servers answer rightly, and slower.

${tableOf(rows)}
`
}
