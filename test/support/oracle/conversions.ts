/** Value conversions that hosts configure in their drivers: `typeCast` of mysql2 and type parsers of pg. */
import type { PoolOptions } from 'mysql2'

export type Convert = (text: string) => unknown

/** A pool that converts all text. */
export const converting = (convert: Convert): PoolOptions => ({
  typeCast(field) {
    const text = field.string()
    return text === null ? null : convert(text)
  }
})

/** Each conversion changes some text that a database may hold. */
export const conversions = {
  'numbers of numeric text': (text) => (text.trim() !== '' && !Number.isNaN(Number(text)) ? Number(text) : text),
  'numbers where they are exact': (text) =>
    /^\d+$/.test(text) && Number.isSafeInteger(Number(text)) ? Number(text) : text,
  'numbers of decimals': (text) => (/^\d+\.\d+$/.test(text) ? Number.parseFloat(text) : text),
  'BigInt of digits': (text) => (/^\d+$/.test(text) ? BigInt(text) : text),
  'JSON.parse': (text) => {
    try {
      return JSON.parse(text)
    } catch {
      return text
    }
  },
  'JSON.parse of objects': (text) => (/^\{.*\}$/s.test(text) ? JSON.parse(text) : text),
  'JSON.parse of arrays': (text) => (/^\[.*\]$/s.test(text) ? JSON.parse(text) : text),
  trim: (text) => text.trim(),
  trimEnd: (text) => text.trimEnd(),
  toLowerCase: (text) => text.toLowerCase(),
  toUpperCase: (text) => text.toUpperCase(),
  'toLowerCase of emails': (text) => (text.includes('@') ? text.toLowerCase() : text),
  'normalize NFC': (text) => text.normalize('NFC'),
  'normalize NFD': (text) => text.normalize('NFD'),
  'white space in one': (text) => text.replace(/\s+/g, ' '),
  'HTML escapes': (text) => text.replaceAll('<', '&lt;'),
  decodeURIComponent: (text) => decodeURIComponent(text),
  'ISO dates': (text) => (/^\d{4}-\d\d-\d\d /.test(text) ? new Date(text).toISOString() : text),
  'dates of ISO dates': (text) => (/^\d{4}-\d\d-\d\dT/.test(text) ? new Date(text) : text),
  'null for the empty text': (text) => text || null,
  nothing: () => undefined
} satisfies Record<string, Convert>
