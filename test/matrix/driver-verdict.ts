/** Whether a host told the same as a plain one, byte for byte. */
import type { MatrixRow } from '../support/matrix.js'
import type { Told } from './driver-host.js'
import { questions } from './driver-questions.js'
import type { Setting } from './drivers.js'

export type Verdict = Pick<MatrixRow, 'tried' | 'identical' | 'refused' | 'different'>

/** Settings that cannot work may stop the start, or make of an answer a 500, if the operator reads why. */
export function verdictOf(plain: Told, told: Told, settings: readonly Setting[]): Verdict {
  const names = settings.map(({ name }) => name).join(' + ')
  const refusals = settings.flatMap(({ refused }) => refused ?? [])
  const isRefusal = (reason: string) => refusals.some((refusal) => refusal.test(reason))
  const refused = told.reasons.find(isRefusal)
  const verdict: Verdict = { tried: 0, identical: 0, ...(refused && { refused }), different: [] }

  for (const [index, answer] of told.answers.entries()) {
    const expected = plain.answers[index]
    const identical = answer.status === expected?.status && answer.text === expected.text
    if (!identical && refused && answer.status === 500) continue
    verdict.tried++
    if (identical) verdict.identical++
    else {
      const { url, caller } = questions[index] ?? {}
      const [one, other] = partsThatDiffer(expected?.text ?? '', answer.text)
      verdict.different.push(`${names}: ${caller?.role} asks ${url}: not …${one}… but …${other}…`)
    }
  }
  for (const reason of told.reasons) {
    if (!isRefusal(reason) && !plain.reasons.includes(reason)) verdict.different.push(`${names}: ${reason}`)
  }
  if (told.answers.length === 0 && !refused) verdict.different.push(`${names}: did not start`)
  return verdict
}

/** Adds a verdict to a row. */
export function add(row: MatrixRow, { tried, identical, refused, different }: Verdict): void {
  row.tried += tried
  row.identical += identical
  if (refused) row.refused = refused
  row.different.push(...different)
}

/** What stands around the first character that differs. */
function partsThatDiffer(one: string, other: string): [string, string] {
  const place = [...one].findIndex((character, index) => character !== [...other][index])
  const part = (text: string) => [...text].slice(Math.max(0, place - 40), place + 40).join('')
  return [part(one), part(other)]
}
