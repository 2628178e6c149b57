import { createHash } from 'node:crypto'
import pg from 'pg'

/** Prepares each statement once on each connection: `new pg.Pool({ Client: PreparingClient, … })`. */
export class PreparingClient extends pg.Client {
  override query(...given: never[]): never {
    const [text, values]: unknown[] = given
    const isStatement = typeof text === 'string' && Array.isArray(values)
    const name = isStatement && createHash('sha256').update(text).digest('base64url')
    return Reflect.apply(super.query, this, name ? [{ name, text, values }] : given) as never
  }
}
