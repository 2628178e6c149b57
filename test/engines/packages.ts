/** npm packages that only a row of this run uses. They are installed into a temporary folder. */
import { rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { install } from '../matrix/tarball.js'
import { newFolder } from '../support/private-server.mjs'
import type { Scope } from './scope.js'

/** @returns a function that loads a package */
export async function installPackages(scope: Scope, packages: Record<string, string>) {
  const folder = newFolder('packages')
  scope.teardown(() => rmSync(folder, { recursive: true, force: true }))
  await install(folder, packages)
  return createRequire(join(folder, 'package.json'))
}
