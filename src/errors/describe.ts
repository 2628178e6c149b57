/** Describes a value without its contents, which can be a password. */
export function describe(value: unknown): string {
  if (typeof value === 'string') return value === '' ? 'an empty string' : 'a string'
  if (value === null || ['number', 'boolean', 'undefined'].includes(typeof value)) return String(value)
  if (typeof value !== 'object') return `a ${typeof value}`
  if (Array.isArray(value)) return 'an array'
  if (value instanceof Promise) return 'a promise'
  // A key that is no identifier can be data.
  const names = Object.keys(value).filter((name) => /^[a-z_$]\w{0,31}$/i.test(name))
  return `an object with ${names.slice(0, 8).join(', ') || 'no properties'}`
}
