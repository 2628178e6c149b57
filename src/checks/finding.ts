/** What the check of a database finds, and how it is told. */

/** What is to be done about a finding, in the order in which findings are told. */
const remedies = {
  relations: "Mend the option 'relations', or the database:",
  settings: 'Change how the pool or the session is set:',
  data: 'Mend the data:',
  indexes: 'Create these indexes, or pages take long where there are many records:'
} as const

export interface Finding {
  /** `error` when answers would be wrong or missing, `warning` when they would be slow, or single ones fail. */
  readonly level: 'error' | 'warning'
  /** What is to be mended. */
  readonly remedy: keyof typeof remedies
  /** In words; of an index the SQL statement that creates it, or an SQL comment. */
  readonly text: string
}

/** All findings as one text, grouped by what to do. */
export const textOfFindings = (findings: readonly Finding[]): string =>
  Object.entries(remedies)
    .map(([remedy, heading]) => [heading, ...findings.filter((finding) => finding.remedy === remedy).map(lineOf)])
    .filter((lines) => lines.length > 1)
    .flat()
    .join('\n')

/** Indexes stand as they are, to be pasted into an SQL client. */
const lineOf = ({ level, remedy, text }: Finding) =>
  remedy === 'indexes' ? text : `- ${level === 'error' ? '' : '(warning) '}${text}`
