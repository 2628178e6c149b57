/** Makes the README's pictures of the demo's page: `npm run screenshots`. */
import { mkdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { startExample } from '../support/example.mjs'
import { launch } from './chromium.mjs'

const folder = fileURLToPath(new URL('../../examples/page/screenshots/', import.meta.url))

/** @type {Record<string, import('playwright-core').BrowserContextOptions>} */
const pictures = {
  light: { colorScheme: 'light', viewport: { width: 1280, height: 800 } },
  dark: { colorScheme: 'dark', viewport: { width: 1280, height: 800 } },
  phone: { colorScheme: 'light', viewport: { width: 390, height: 844 }, isMobile: true }
}

mkdirSync(folder, { recursive: true })
const [{ address, stop }, browser] = await Promise.all([startExample({}), launch()])
try {
  for (const [name, options] of Object.entries(pictures)) {
    const page = await browser.newPage(options)
    await page.goto(address)
    await page.getByLabel('Search').fill('an')
    await page.locator('mark').first().waitFor()
    if (name === 'phone') await page.locator('#answer').scrollIntoViewIfNeeded()
    await page.screenshot({ path: `${folder}${name}.png` })
    console.log(`examples/page/screenshots/${name}.png`)
  }
} finally {
  await browser.close()
  await stop()
}
