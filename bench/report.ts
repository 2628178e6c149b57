/** Writes the documents from what was kept, and prints them. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { documentOf, summaryOf } from './document.ts'
import { pictureOf } from './picture.ts'
import type { Results } from './results.ts'
import { shownOf } from './summary.ts'

export async function report(all: Results[], write: boolean) {
  const text = documentOf(all)
  console.log(text)
  if (!write) return
  const shown = shownOf(all)
  writeFileSync(join(import.meta.dirname, 'RESULTS.md'), text)
  if (!shown) return
  writeFileSync(join(import.meta.dirname, 'ratios.svg'), await pictureOf(shown))
  const readme = join(import.meta.dirname, '..', 'README.md')
  const marks = /(<!-- bench -->\n)[\s\S]*(<!-- \/bench -->)/
  writeFileSync(
    readme,
    readFileSync(readme, 'utf8').replace(marks, (_text, start, end) => `${start}\n${summaryOf(shown)}\n\n${end}`)
  )
}
