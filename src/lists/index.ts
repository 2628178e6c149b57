/** Every list; a third one is a line here. */

import { assessments } from './assessments.js'
import type { List } from './list.js'
import { payments } from './payments.js'

export const lists: readonly List[] = [assessments, payments]
