/** Reads the records of a page. Those without a place by their value come after the others, by their ids. */
import type { Question, Span } from '../asked/question.js'
import type { ReadPage } from '../sql/items.js'
import { type PageOptions, pageOf } from '../sql/page.js'
import { totalOf } from '../sql/records.js'
import type { Run } from '../sql/statement.js'
import type { Asking } from './answer.js'

export async function readPage(asking: Asking, options: PageOptions, milliseconds?: number): Promise<ReadPage> {
  const { parts } = asking.question
  return parts ? readParts(asking, parts, options, milliseconds) : readOne(asking.run, options, milliseconds)
}

async function readOne(run: Run, options: PageOptions, milliseconds?: number): Promise<ReadPage> {
  const page = await run(pageOf(options), milliseconds)
  return page.isTied ? run(pageOf({ ...options, isTied: true }), milliseconds) : page
}

async function readParts(
  { question, runFor }: Asking,
  [valued, rest]: NonNullable<Question['parts']>,
  options: PageOptions,
  milliseconds?: number
): Promise<ReadPage> {
  const { span, matches, most, after = question.after } = options
  const key = after === 'unreachable' ? undefined : after
  // Such a place comes after all records with a value.
  const isInRest = key?.value === null
  const parts = [isInRest ? [] : { ...valued, after: key }, { ...rest, after: isInRest ? key : undefined }].flat()
  const idOf = (item: unknown) => (item as Record<string, unknown>)[question.list.id]
  const [first, second] = (span.backwards ? parts.toReversed() : parts) as [Question, Question?]

  const read = async (part: Question, span: Span, most?: number): Promise<ReadPage> => {
    const ofPart = {
      ...options,
      span,
      most,
      after: key ? undefined : options.after,
      windowTotal: false,
      beside: undefined
    }
    const page = await readOne(runFor(part), ofPart, milliseconds)
    return part.part?.isRest ? { ...page, keys: page.keys.map((key) => ({ ...key, value: null })) } : page
  }
  const one = await read(first, span, most)
  const found = most === undefined ? one.count : one.keys.length
  if (!second || found === span.take) return one
  // Several rows of a record, as of several organizations, do not tell whether more records follow.
  const last = one.keys.at(-1)
  const next = { ...span, skip: 0, take: 1 }
  if (last && one.rows >= span.take && (await read({ ...first, after: last }, next, 0)).keys.length > 0) return one
  // The records before the page, if it holds none of the first part.
  const before = found > 0 || span.skip === 0 ? span.skip : await runFor(first)(totalOf(matches))
  const place = { ...span, skip: Math.max(0, span.skip - before), take: span.take - found }
  const two = await read(second, place, most === undefined ? most : most - found)
  // SQLite has no snapshot, so a write in between may move a record.
  const ids = new Set(one.items.map(idOf))
  const others = { ...two, items: two.items.filter((item) => !ids.has(idOf(item))) }
  const [start, end] = span.backwards ? [others, one] : [one, others]
  return {
    items: [...start.items, ...end.items],
    count: one.count + two.count - (two.items.length - others.items.length),
    rows: start.rows + end.rows,
    total: undefined,
    isTied: false,
    keys: [...start.keys, ...end.keys]
  }
}
