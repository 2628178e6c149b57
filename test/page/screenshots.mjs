/** Makes the README's picture of the demo's page, in light and in dark: `npm run screenshots`. */
import { mkdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { startExample } from '../support/hosts/example.mjs'
import { launch } from './chromium.mjs'

const folder = fileURLToPath(new URL('../../examples/page/screenshots/', import.meta.url))

mkdirSync(folder, { recursive: true })
const [{ address, stop }, browser] = await Promise.all([startExample({}), launch()])
try {
  for (const colorScheme of /** @type {const} */ (['light', 'dark'])) {
    const page = await browser.newPage({ colorScheme, viewport: { width: 1280, height: 610 } })
    await page.goto(`${address}/?view=who&role=Practitioner`)
    await page.locator('#answer[aria-busy="false"]').waitFor()
    await page.screenshot({ path: `${folder}who-${colorScheme}.png` })
    console.log(`examples/page/screenshots/who-${colorScheme}.png`)
  }
} finally {
  await browser.close()
  await stop()
}
