/** What the lists of goods have in common, whose columns each test defines. */
export const goods = {
  name: 'goods',
  path: '/goods/list',
  key: 'data',
  openapi: { name: 'Goods', operationId: 'listGoods', summary: 'List goods', description: 'The goods.' },
  id: 'id',
  owner: 'owner',
  order: '-added_at',
  roles: { Admin: 'all' },
  messages: { found: 'Found.', forbidden: 'No.' }
} as const
