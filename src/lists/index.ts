/** All lists of the plugin. To add a list, append its definition to the array. */
import { assessments } from './assessments.js'
import type { List } from './list.js'
import { payments } from './payments.js'

export const lists: readonly List[] = [assessments, payments]
