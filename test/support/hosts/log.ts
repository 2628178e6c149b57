/** A logger for Fastify that keeps its lines. */
export interface Line extends Record<string, unknown> {
  level: number
  msg: string
  /** The kind of a failure. Fastify's own lines have no kind. */
  kind?: string
}

export function keepLog(level = 'trace') {
  const texts: string[] = []
  const lines: Line[] = []
  const write = (text: string) => {
    texts.push(text)
    lines.push(JSON.parse(text))
  }
  return { logger: { level, stream: { write } }, texts, lines }
}

/** The lines about failures. */
export const failuresIn = (lines: readonly Line[]) => lines.filter(({ kind }) => kind !== undefined)
