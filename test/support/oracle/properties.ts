/** fast-check with the seed of the test run. */
import fc from 'fast-check'
import { seed } from './random.js'

fc.configureGlobal({ seed })

export default fc
