/** The orders of a list, and its parameter `sort`. */
import { type TSchema, Type } from '@sinclair/typebox'
import { enumSchema } from '../kinds/texts.js'
import type { List, Order } from './list.js'

/** The order that `name` and `-name` stand for. No name of a column begins with `-`. */
export const orderOf = (text: string): Order => ({
  column: text.replace(/^-/, ''),
  direction: text.startsWith('-') ? 'desc' : 'asc'
})

export const nameOfOrder = ({ column, direction }: Order): string => (direction === 'desc' ? `-${column}` : column)

/** Whether records can have no place by their value: it may be empty, or stand for some roles only. */
export const canLack = ({ columns, fields }: Pick<List, 'columns' | 'fields'>, { column }: Order): boolean =>
  columns[column]?.whenNull !== 'error' ||
  Object.values(fields).some((field) => field.roles && field.column === `r.${column}`)

export const ordersOf = (sort: readonly string[]): Record<string, Order> =>
  Object.fromEntries(sort.flatMap((name) => [name, `-${name}`]).map((text) => [text, orderOf(text)]))

export const sortSchema = (orders: Readonly<Record<string, Order>>): TSchema =>
  Type.Optional(
    enumSchema(Object.keys(orders), {
      description: 'The column to sort by. With `-`, the greatest value comes first.',
      examples: Object.keys(orders).slice(0, 1)
    })
  )
