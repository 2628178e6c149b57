/** What the environment asks of the demo. */
import { createServer } from 'node:net'

export interface Settings {
  databaseUrl: string | undefined
  port: number
}

/** @throws Error that says what to give instead. */
export function readSettings({ DATABASE_URL, PORT }: NodeJS.ProcessEnv): Settings {
  const port = Number(PORT || 3000)
  if (!Number.isInteger(port) || port < 0 || port > 65535) {
    throw new Error(`PORT is '${PORT}'; give a number from 0 (any free one) to 65535, or nothing for 3000.`)
  }
  if (DATABASE_URL && !/^(mysql|mariadb):\/\//.test(DATABASE_URL)) {
    throw new Error('DATABASE_URL must begin with mysql:// or mariadb://; without it the demo has SQLite in memory.')
  }
  if (DATABASE_URL && !/^\w+:\/\/[^/]+\/[^/?]/.test(DATABASE_URL)) {
    throw new Error('DATABASE_URL must name an empty database: mysql://user:password@host:3306/name.')
  }
  return { databaseUrl: DATABASE_URL, port }
}

/** Finds out whether the port can be had, before a database is filled for nothing. */
export const ensureFree = (port: number) =>
  new Promise<void>((resolve, reject) => {
    const probe = createServer()
    probe.once('error', () => reject(new Error(`Port ${port} cannot be had: choose another one with PORT=…`)))
    probe.listen(port, '127.0.0.1', () => probe.close(() => resolve()))
  })
