/** What a client reads of a failure, by HTTP and without. */
import { STATUS_CODES } from 'node:http'
import type { Failure } from '../errors/failure.js'
import type { List } from '../lists/list.js'
import type { SharedMessages } from './messages.js'

export function clientTextOf(
  { kind, message, clientMessage = message, statusCode }: Failure,
  list: Pick<List, 'messages' | 'record'>,
  messages: SharedMessages
): string {
  if (kind === 'parameter' || kind === 'aborted') return clientMessage
  if (kind === 'host') return `${STATUS_CODES[statusCode] ?? 'Error'}.`
  // Only the route of a record answers so.
  if (kind === 'notFound') return list.record?.messages.notFound ?? clientMessage
  return kind === 'forbidden' ? list.messages.forbidden : messages[kind]
}
