/** What was measured, one file a scale, so that the documents can be made again without measuring. */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Measured } from './measure.ts'

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
}

const folder = join(import.meta.dirname, 'results')

export function keptResults(): Results[] {
  if (!existsSync(folder)) return []
  return readdirSync(folder)
    .filter((name) => name.endsWith('.json'))
    .map((name) => JSON.parse(readFileSync(join(folder, name), 'utf8')))
    .sort((one, other) => one.scale - other.scale)
}

/** Keeps them in the place of the run before at this scale: what stands side by side was measured side by side. */
export function keep(results: Results) {
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, `scale-${results.scale}.json`), `${JSON.stringify(results)}\n`)
}
