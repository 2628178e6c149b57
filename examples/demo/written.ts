/** A value of options as one would write it: a short one on its line, and a long one with a line for each part. */
export function written(value: unknown, indent = ''): string {
  if (typeof value === 'string') return `'${value}'`
  if (typeof value !== 'object' || value === null) return String(value)
  const isArray = Array.isArray(value)
  const partsOf = (inner: string) =>
    Object.entries(value).map(([name, part]) => {
      const key = /^\w+$/.test(name) ? name : `'${name}'`
      return `${isArray ? '' : `${key}: `}${written(part, inner)}`
    })
  const short = partsOf(indent).join(', ')
  if (short.length < 70 && !short.includes('\n')) return isArray ? `[${short}]` : `{ ${short} }`
  const lines = partsOf(`${indent}  `).map((part) => `\n${indent}  ${part}`)
  return `${isArray ? '[' : '{'}${lines.join(',')}\n${indent}${isArray ? ']' : '}'}`
}
