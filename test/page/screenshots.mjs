/** Makes the README's pictures of the demo's page: `npm run screenshots`. */
import { mkdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { startExample } from '../support/example.mjs'
import { launch } from './chromium.mjs'

const folder = fileURLToPath(new URL('../../examples/page/screenshots/', import.meta.url))

/** @type {Record<string, { query: string, height: number }>} */
const pictures = {
  who: { query: '?view=who&role=Practitioner', height: 610 },
  list: { query: '?list=certificates&state=valid&state=expired&score_from=60&sort=-hours', height: 610 }
}

mkdirSync(folder, { recursive: true })
const [{ address, stop }, browser] = await Promise.all([startExample({}), launch()])
try {
  for (const [name, { query, height }] of Object.entries(pictures)) {
    for (const colorScheme of /** @type {const} */ (['light', 'dark'])) {
      const page = await browser.newPage({ colorScheme, viewport: { width: 1280, height } })
      await page.goto(`${address}/${query}`)
      await page.locator('#answer[aria-busy="false"]').waitFor()
      if (name === 'list') await page.locator('summary:visible').click()
      await page.screenshot({ path: `${folder}${name}-${colorScheme}.png` })
      console.log(`examples/page/screenshots/${name}-${colorScheme}.png`)
    }
  }
} finally {
  await browser.close()
  await stop()
}
