/** Faults of hand-written lists. Each fault fails one check with a certain message. */
import type { Test } from 'tap'
import { type ConformanceCheck, conformance } from '../../../src/conformance/index.js'
import { areAll } from '../oracle/check.js'
import { type Answer, type Asked, handWritten, type Rules } from './hand-written.js'

/** The message, in which `#` stands for any number, and other checks that the fault also fails. */
type Fault = readonly [message: string, wrong: Partial<Rules>, ...also: string[]]

/** The failed checks, and their messages. */
export async function problemsIn(checks: readonly ConformanceCheck[]): Promise<string[]> {
  const problems: string[] = []
  for (const { name, run } of checks) {
    await run({ skip: () => undefined }).catch(({ message }: Error) => problems.push(`${name}: ${message}`))
  }
  return problems
}

/** Tests that exactly the expected checks of the list find each fault. */
export function findsFaults(t: Test, check: string, faults: Record<string, Fault>): void {
  for (const [name, [message, wrong, ...also]] of Object.entries(faults)) {
    const list = message.includes('assessment') ? 'assessments' : 'payments'
    t.test(`${check}: ${name}`, async (t) => {
      const failed = new Map<string, string>()
      const host = handWritten(wrong)
      for (const { name, run } of conformance(() => host)) {
        const [of, title = ''] = name.split(': ')
        if (of === list) await run().catch((error: Error) => failed.set(title, error.message))
      }
      t.strictSame([...failed.keys()].sort(), [check, ...also].sort())
      const pattern = message.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replaceAll('#', '\\d+')
      areAll(t, [failed.get(check) ?? ''], [new RegExp(`^${pattern}$`)])
    })
  }
}

/** A rule that changes parts of the answers with this status. */
export const onStatus = (
  status: number,
  change: (answer: Answer, asked: Asked) => Partial<Answer> | false
): Partial<Rules> => ({
  answer: (answer, asked) => ({ ...answer, ...(answer.status === status && change(answer, asked)) })
})

/** A rule that changes the body of every page. */
export const onPages = (change: (body: Answer['body'], asked: Asked) => object | false): Partial<Rules> =>
  onStatus(200, ({ body }, asked) => ({ body: { ...body, ...change(body, asked) } }))

/** Whether a request has neither a search nor a filter. */
export const isPlain = ({ search, parameters }: Asked): boolean =>
  search === '' && !parameters.has('status') && !parameters.has('processor_status')
