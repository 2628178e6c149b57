/** Breaks a statement into lines for people: each clause on a line of its own, and what is in long parentheses further in. */

const token =
  /'(?:''|[^'])*'|"[^"]*"|`[^`]*`|\b(?:left join|inner join|order by|group by|union all|union)\b|[\w.$@]+|\s+|./gi
const clauses = /^(?:select|from|where|and|or|left join|inner join|order by|group by|having|limit|union all|union)$/i

/** Parentheses with less in them stay on their line. */
const short = 70

export function formatted(sql: string): string {
  const tokens = sql.match(token) ?? []
  /** Whether each open parenthesis is broken into lines. */
  const open: boolean[] = []
  let text = ''
  const newLine = () => {
    text = `${text.trimEnd()}\n${'  '.repeat(open.filter(Boolean).length)}`
  }
  for (const [index, part] of tokens.entries()) {
    if (part === '(') {
      text += part
      open.push(lengthUntilClosed(tokens, index) > short)
      if (open.at(-1)) newLine()
    } else if (part === ')') {
      if (open.pop()) newLine()
      text += part
    } else if (clauses.test(part) && text !== '' && open.at(-1) !== false) {
      if (!text.endsWith('\n') && text.trim() !== '' && !/\n *$/.test(text)) newLine()
      text += part
    } else if (/^\s+$/.test(part)) {
      if (!/\s$/.test(text)) text += ' '
    } else {
      text += part
    }
  }
  return text.trim()
}

function lengthUntilClosed(tokens: string[], start: number): number {
  let length = 0
  let depth = 0
  for (const part of tokens.slice(start)) {
    length += part.length
    if (part === '(') depth++
    if (part === ')' && --depth === 0) break
  }
  return length
}
