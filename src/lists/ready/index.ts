/** The lists of a server without the option `lists`: to add one, append its definition to the array and to its type. */
import { assessments } from './assessments.js'
import { payments } from './payments.js'

export const defaultLists: readonly [typeof assessments, typeof payments] = [assessments, payments]
