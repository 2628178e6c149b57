/** Writes the documents from what was kept, and prints them. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { documentOf, summaryOf } from './document.mjs'
import { pictureOf } from './picture.mjs'
import { shownOf } from './summary.mjs'

/** @param {import('./results.mjs').Results[]} all @param {boolean} write */
export async function report(all, write) {
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
