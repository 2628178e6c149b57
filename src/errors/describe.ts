/** Describes a value without its contents, which can be a password. */
export function describe(value: unknown): string {
  switch (typeof value) {
    case 'string':
      return value === '' ? 'an empty string' : 'a string'
    case 'number':
    case 'boolean':
    case 'undefined':
      return String(value)
    case 'object':
      if (value === null) return 'null'
      if (Array.isArray(value)) return 'an array'
      if (value instanceof Promise) return 'a promise'
      return `an object with ${namesOf(value).join(', ') || 'no properties'}`
    default:
      return `a ${typeof value}`
  }
}

// A key that is no identifier can be data.
const namesOf = (value: object): string[] =>
  Object.keys(value)
    .filter((name) => /^[a-z_$]\w{0,31}$/i.test(name))
    .slice(0, 8)
