/** The findings of the start-up check, and their text. */

/** What to do about a finding, in the order of the text. */
const remedies = {
  tables: 'Fix the `tables` option or the database:',
  settings: 'Change how the pool or the session is set:',
  data: 'Fix the data:',
  indexes: 'Create these indexes, or pages take long where there are many records:'
} as const

export interface Finding {
  /** `error` when answers would be wrong or missing, `warning` when they would be slow, or single ones fail. */
  readonly level: 'error' | 'warning'
  /** What to fix. */
  readonly remedy: keyof typeof remedies
  /** A sentence. For an index the SQL statement that creates it, or an SQL comment. */
  readonly text: string
}

/** All findings as one text, grouped by what to do. */
export const textOfFindings = (findings: readonly Finding[]): string =>
  Object.entries(remedies)
    .map(([remedy, heading]) => [heading, ...findings.filter((finding) => finding.remedy === remedy).map(lineOf)])
    .filter((lines) => lines.length > 1)
    .flat()
    .join('\n')

/** The statements for indexes have no bullet, so that they can be pasted into an SQL client. */
const lineOf = ({ level, remedy, text }: Finding) =>
  remedy === 'indexes' ? text : `- ${level === 'error' ? '' : '(warning) '}${text}`
