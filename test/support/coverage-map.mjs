/**
 * What the coverage is of: every file of src, by the tests that are laid out as src. What the others run of it does not
 * count, and what counts slows a test down. The demo and its build are not the product.
 */
import { readdirSync } from 'node:fs'

const files = readdirSync('src', { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts'))
  .map((name) => `src/${name}`)

const parts = readdirSync('src').map((name) => `test/${name.replace(/\.ts$/, '')}`)

/** @param {string} test */
export default (test) =>
  parts.some((part) => test === `${part}.test.ts` || test.startsWith(`${part}/`)) ? files : null
