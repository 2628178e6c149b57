/** Folders for files that a test writes. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Test } from 'tap'

/** A new folder, which the end of the test deletes. */
export function temporaryFolder(t: Test, name: string): string {
  const folder = mkdtempSync(join(tmpdir(), `listing-${name}-`))
  t.teardown(() => rmSync(folder, { recursive: true }))
  return folder
}
