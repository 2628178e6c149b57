/** The findings of the start-up check and their text. */

const remedies = {
  tables: 'Fix the `tables` option or the database:',
  settings: 'Change the settings of the pool or the session:',
  data: 'Fix the data, or map the values in the `tables` option:',
  indexes: 'Create these indexes, or pages take long where there are many records:',
  unchecked: 'What the check could not tell:'
} as const

/** What `checkDatabase` has found. */
export interface DatabaseFinding {
  /** `error`: wrong or missing answers. `warning`: slow or failing pages. `info`: not checked, or not at full speed. */
  readonly level: 'error' | 'warning' | 'info'
  /** What to fix: `tables`, `settings`, `data` or `indexes`. With the level `info`: `settings` or `unchecked`. */
  readonly remedy: keyof typeof remedies
  /** A sentence. For `indexes`, a `create index` statement or an SQL comment. */
  readonly text: string
}

export const finding = (
  level: DatabaseFinding['level'],
  remedy: DatabaseFinding['remedy'],
  text: string
): DatabaseFinding => ({ level, remedy, text })

export const isWrong = (findings: readonly DatabaseFinding[]): boolean =>
  findings.some(({ level }) => level === 'error')

/** Formats findings as text, grouped by remedy. Without findings, the text says that the database fits the lists. */
export function formatFindings(findings: readonly DatabaseFinding[]): string {
  const lines = Object.entries(remedies).flatMap(([remedy, heading]) => {
    const texts = findings.filter((finding) => finding.remedy === remedy).map(lineOf)
    return texts.length > 0 ? [heading, ...texts] : []
  })
  return lines.join('\n') || 'The database fits the lists.'
}

/** Index statements have no bullet, so an operator can paste them into an SQL client. */
const lineOf = ({ level, remedy, text }: DatabaseFinding) =>
  remedy === 'indexes' ? text : `- ${level === 'warning' ? '(warning) ' : ''}${text}`
