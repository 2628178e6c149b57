/** Starts a pooler in front of PostgreSQL. Debian's packages are unpacked for it, and not installed. */
import { execFileSync } from 'node:child_process'
import { cpSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { asNobody, freePort, giveToNobody, newFolder, startServer, unpack } from '../support/private-server.mjs'
import { versionIn } from './connect.js'
import type { Scope } from './scope.js'

interface Pooler {
  /** The program. */
  name: string
  packages: string[]
  /** @param folder for the files of the pooler */
  configuration(port: number, folder: string): string
  /** Before the name of the file with the configuration. */
  parameters: string
  database: string
}

export async function startPooler(scope: Scope, { name, packages, configuration, parameters, database }: Pooler) {
  const folder = newFolder(name)
  // Another user may not see the folder of the project.
  const home = join(folder, 'program')
  cpSync(unpack(name, packages, `The rows of ${name} need Debian's packages ${packages.join(', ')}.`), home, {
    recursive: true
  })
  const program = `LD_LIBRARY_PATH=${join(home, 'usr/lib/x86_64-linux-gnu')} exec ${join(home, 'usr/sbin', name)}`
  const [port, file, log] = [await freePort(), join(folder, 'configuration'), join(folder, 'log')]
  writeFileSync(file, configuration(port, folder))
  giveToNobody(folder)
  const [command, ...args] = asNobody('sh', '-c', `${program} ${parameters} ${file} 2> ${log}`)
  const url = `postgres://postgres@127.0.0.1:${port}/${database}`
  const { stop } = await startServer({ name, command, args, folder, log, url, answers, lastSignal: 'SIGQUIT' })
  scope.teardown(stop)
  const version = versionIn(execFileSync('sh', ['-c', `${program} --version 2>&1`], { encoding: 'utf8' }))
  return { url, version }
}

async function answers(connectionString: string) {
  const client = new pg.Client({ connectionString })
  await client.connect()
  await client.query('select 1')
  await client.end()
}
