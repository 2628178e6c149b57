/** What the check of a database finds, and how it is told. */

/** What is to be done about a finding, in the order in which findings are told. */
export const remedies = {
  relations: "Mend the option 'relations', or the database:",
  settings: 'Change how the pool or the session is set:',
  indexes: 'Create these indexes:',
  data: 'Look at the data:'
} as const

export interface Finding {
  /** `error` when answers would be wrong or missing, `warning` when they would be slow, or single ones fail. */
  readonly level: 'error' | 'warning'
  /** What is to be mended. */
  readonly remedy: keyof typeof remedies
  /** One sentence, or the SQL statement that creates the index. */
  readonly text: string
}

/** All findings as one text, grouped by what to do. */
export const textOfFindings = (findings: readonly Finding[]): string =>
  Object.entries(remedies)
    .map(([remedy, heading]) => [heading, ...findings.filter((finding) => finding.remedy === remedy).map(lineOf)])
    .filter((lines) => lines.length > 1)
    .flat()
    .join('\n')

const lineOf = ({ level, remedy, text }: Finding) =>
  `- ${level === 'error' || remedy === 'indexes' ? '' : '(warning) '}${text}`
