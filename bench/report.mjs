/** Writes the documents from what was kept, and prints them. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { documentOf } from './document.mjs'
import { pictureOf } from './picture.mjs'

/**
 * @param {import('./results.mjs').Results[]} all
 * @param {boolean} write
 */
export async function report(all, write) {
  const text = documentOf(all)
  console.log(text)
  if (!write) return
  // the scale that the bars are about, or what there is
  const shown = all.find(({ scale }) => scale === 1) ?? all.at(-1)
  writeFileSync(join(import.meta.dirname, 'RESULTS.md'), text)
  if (shown) writeFileSync(join(import.meta.dirname, 'ratios.svg'), await pictureOf(shown))
}
