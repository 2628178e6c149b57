/** Compares the route of one record with the list. */
import { isDeepStrictEqual } from 'node:util'
import { fail } from './client.js'
import type { AnyCaller } from './host.js'
import type { ListUnderTest, SeenItem } from './list-under-test.js'

/** Records that are asked for, for each caller. */
const some = 5

export async function recordsAreTheirItems(tested: ListUnderTest): Promise<void> {
  for await (const { caller, found, complete } of tested.walks()) {
    const widest = tested.widestFor(caller)
    const all = widest && (await tested.walk(widest))
    for (const seen of found.slice(0, some)) await requireItem(tested, caller, seen)
    const isSeen = new Set(found.map(({ id }) => id))
    const others = complete ? (all?.found ?? []).filter(({ id }) => !isSeen.has(id)) : []
    for (const { id } of others.slice(0, some)) await requireNone(tested, caller, id)
    await requireNone(tested, caller)
  }
}

const ask = (tested: ListUnderTest, caller: AnyCaller, id?: string) => tested.ask(caller, [], tested.pathOf(id))

async function requireItem(tested: ListUnderTest, caller: AnyCaller, { id, item, answer: listed }: SeenItem) {
  const answer = await ask(tested, caller, id)
  const { [String(tested.list.record?.key)]: got, error } = answer.body
  if (answer.status !== 200) fail(answer, `expected the record, got ${answer.status} '${error}'.`)
  if (!isDeepStrictEqual(got, item)) fail(answer, `the record differs from its item in ${listed.request}.`)
}

async function requireNone(tested: ListUnderTest, caller: AnyCaller, id?: string) {
  const answer = await ask(tested, caller, id)
  const expected = { status: 404, error: tested.list.record?.messages.notFound }
  if (answer.status !== 404 || !isDeepStrictEqual({ ...answer.body }, expected)) {
    fail(answer, `expected ${JSON.stringify(expected)}, because the list does not show ${caller.name} this record.`)
  }
}
