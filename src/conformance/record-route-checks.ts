/** Compares the route of one record with the list. */
import { isDeepStrictEqual } from 'node:util'
import type { List } from '../lists/list.js'
import { fail } from './client.js'
import { widestIn } from './expected-reach.js'
import type { SeenItem, Viewer } from './viewer.js'

/** Records that are asked for, for each caller. */
const some = 5

export async function recordsAreTheirItems(viewer: Viewer): Promise<void> {
  const { found, complete } = await viewer.walk()
  const all = await widestIn(viewer.tested, viewer)?.walk()
  for (const seen of found.slice(0, some)) await requireItem(viewer, seen)
  const others = complete ? (all?.found ?? []).filter(({ id }) => !found.some((seen) => seen.id === id)) : []
  for (const { id } of others.slice(0, some)) await requireNone(viewer, id)
  await requireNone(viewer)
}

async function requireItem({ tested, given }: Viewer, { id, item, answer: listed }: SeenItem) {
  const answer = await tested.ask(given, recordPath(tested.list, id))
  const { [String(tested.list.record?.key)]: got, error } = answer.body
  if (answer.status !== 200) fail(answer, `expected the record, got ${answer.status} '${error}'.`)
  if (!isDeepStrictEqual(got, item)) fail(answer, `the record differs from its item in ${listed.request}.`)
}

async function requireNone({ tested, given }: Viewer, id?: string) {
  const answer = await tested.ask(given, recordPath(tested.list, id))
  const expected = { status: 404, error: tested.list.record?.messages.notFound }
  if (answer.status === 404 && isDeepStrictEqual({ ...answer.body }, expected)) return
  fail(answer, `expected ${JSON.stringify(expected)}, because the list does not show ${given.name} this record.`)
}

export const recordPath = ({ record }: List, id = 'no such record'): string =>
  String(record?.path).replace(/:\w+/, () => encodeURIComponent(id))
