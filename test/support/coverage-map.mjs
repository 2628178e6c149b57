/** What the coverage is of: every file of src, whichever test runs it. The demo and its build are not the product. */
import { readdirSync } from 'node:fs'

const files = readdirSync('src', { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts'))
  .map((name) => `src/${name}`)

export default () => files
