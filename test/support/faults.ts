/** Faults of hand-written lists. Each fault fails one check with a certain message. */
import type { Test } from 'tap'
import { conformance } from '../../src/conformance/index.js'
import { type Answer, type Asked, handWritten, type Rules } from './hand-written.js'

export interface Fault {
  /** The list with the fault. */
  list: Asked['list']
  message: RegExp
  wrong: Partial<Rules>
  /** Other checks that the fault also fails. */
  also?: string[]
}

/** Tests that exactly the expected checks of the list find each fault. */
export function findsFaults(t: Test, check: string, faults: Record<string, Fault>): void {
  for (const [name, { list, message, wrong, also = [] }] of Object.entries(faults)) {
    t.test(`${check}: ${name}`, async (t) => {
      const host = handWritten(wrong)
      const failed: string[] = []
      for (const { name, run } of conformance(() => host)) {
        const [of, title = ''] = name.split(': ')
        if (of !== list) continue
        await run().catch((error: Error) => {
          failed.push(title)
          if (title === check) t.match(error.message, message)
        })
      }
      t.strictSame(failed.toSorted(), [check, ...also].toSorted())
    })
  }
}

/** A rule that changes the answers with this status. */
export const onStatus = (status: number, change: (answer: Answer, asked: Asked) => void): Partial<Rules> => ({
  answer(answer, asked) {
    const copy = structuredClone(answer)
    if (answer.status === status) change(copy, asked)
    return copy
  }
})

/** A rule that changes the items of every page. */
export const onItems = (change: (item: Record<string, unknown>) => void): Partial<Rules> =>
  onStatus(200, ({ body }) => {
    for (const item of (body.assessments ?? body.data) as Record<string, unknown>[]) change(item)
  })

/** Whether a request has neither a search nor a filter. */
export const isPlain = ({ search, parameters }: Asked): boolean =>
  search === '' && !parameters.has('status') && !parameters.has('processor_status')
