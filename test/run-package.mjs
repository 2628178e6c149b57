/** Builds the package and the examples, and runs the tests of what is published around the lists. */

import { buildPackage, command, step, withDatabases } from './support/running/steps.mjs'
import { packageTests, processesOf } from './support/running/test-files.mjs'
import { install, isInstalled } from './support/servers/private-server.mjs'

await command(async () => {
  // Two tests need git. They run at the same time, and apt-get runs only once at a time.
  if (!isInstalled('git')) install(['git'], 'The tests of the package need git: install it.')
  await buildPackage()
  await step('Test', ['tap --disable-coverage', ...processesOf(packageTests)].join(' '), await withDatabases())
})
