/**
 * Tries the demo's page in a real Chromium: `npm run test:page`; `npm run screenshots` makes the README's
 * pictures instead. A command of its own, and `*.browser.ts`, which `npm test` does not take: else the
 * library's own tests would wait for a browser of 100 MB, or be fewer on some machines than on others.
 */
import { buildPackage, command, step } from '../support/running/steps.mjs'
import { ensureChromium } from './chromium.mjs'

await command(async () => {
  ensureChromium()
  await buildPackage()
  if (process.argv[2] === 'screenshots') await step('Screenshots', 'node test/page/screenshots.mjs')
  else await step('The page in a browser', 'tap --disable-coverage --timeout=300 test/page/*.browser.ts')
})
