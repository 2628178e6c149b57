/** What was measured, one file a scale, so that the documents can be made again without measuring. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** The result of a server in a scenario. */
export interface Result {
  /** Milliseconds of one request, when nothing else ran. */
  single?: number
  /** Why it was not timed. */
  problem?: string
  /** By the number of connections. */
  at?: Record<string, Samples>
}

/** One value a round. */
export interface Samples {
  /** Requests a second. */
  rate: number[]
  /** Milliseconds. */
  p50: number[]
  p99: number[]
  /** Read by the database for a request. */
  rows: number[]
  /** Milliseconds for a request. */
  nodeCpu: number[]
  databaseCpu: number[]
}

/** `date` in UTC. */
export type Measured = { name: string; date: string; results: Record<string, Result> }
/** Megabytes after each part of the records. */
export type Read = { records: number; seconds: number; memory: number[] }

export interface Results {
  scale: number
  command: string
  /** Of which the library was. */
  commit: string
  method: { rounds: number; seconds: number; requests: number; slow: number; patience: number }
  machine: Record<string, string>
  versions: Record<string, string>
  /** Rows by table, and hits by term. */
  data: Record<string, number>
  scenarios: Measured[]
  /** By reader. */
  each?: Record<string, Read>
}

const folder = join(import.meta.dirname, 'results')

export function keptResults(): Results[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith('.json'))
    .map((name) => JSON.parse(readFileSync(join(folder, name), 'utf8')))
    .sort((one, other) => one.scale - other.scale)
}

/** Keeps them in the place of the run before at this scale: what stands side by side was measured side by side. */
export function keep(results: Results) {
  writeFileSync(join(folder, `scale-${results.scale}.json`), `${JSON.stringify(results)}\n`)
}
