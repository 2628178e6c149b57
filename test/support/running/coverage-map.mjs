/**
 * Only the tests that mirror the layout of `src` collect coverage, and they cover every file of `src`. Coverage slows a
 * test down, so the other tests collect none. The demo and its build are not part of the product.
 */
import { readdirSync } from 'node:fs'

const files = readdirSync('src', { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts'))
  .map((name) => `src/${name}`)

const parts = readdirSync('src').map((name) => name.replace(/\.ts$/, ''))

/** @param {string} test a file of `test`, or the file of a folder's process */
export default (test) => {
  const [, part] = /(?:^test|\/tests)\/(\w+)/.exec(test) ?? []
  return parts.includes(String(part)) ? files : null
}
