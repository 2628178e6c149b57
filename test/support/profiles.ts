import { column, defineList } from '../../src/index.js'
import { goods } from './goods.js'

/** A list whose owner is its id. */
export const profiles = defineList({
  ...goods,
  name: 'profiles',
  path: '/profile/list',
  fields: { user_id: column.id({ examples: ['17'] }) },
  columns: { made_at: column.wallTime({ whenNull: 'error' }) },
  id: 'user_id',
  owner: 'user_id',
  order: '-made_at',
  roles: { Individual: 'own' }
})
