import { column, defineList } from '../../src/index.js'

/** A list whose owner is its id. */
export const profiles = defineList({
  name: 'profiles',
  path: '/profile/list',
  key: 'data',
  openapi: { name: 'Profile', operationId: 'listProfiles', summary: 'List profiles', description: 'The profiles.' },
  fields: { user_id: column.id({ examples: ['17'] }) },
  columns: { made_at: column.wallTime({ whenNull: 'error' }) },
  id: 'user_id',
  owner: 'user_id',
  order: '-made_at',
  roles: { Individual: 'own' },
  messages: { found: 'Found.', forbidden: 'No.' }
})
