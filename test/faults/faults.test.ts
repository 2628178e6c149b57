/** A fault that no longer stands in `src` would be planted nowhere, and would be noticed by no test. */
import { readFileSync } from 'node:fs'
import t from 'tap'
import { faults } from './faults.mjs'

t.test('the text of each fault stands exactly once in its file', async (t) => {
  for (const [file, all] of Object.entries(faults)) {
    const source = readFileSync(`src/${file}`, 'utf8')
    for (const [text] of all) t.equal(source.split(text).length, 2, `${file}: ${text}`)
  }
})
