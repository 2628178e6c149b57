/** The documentation is shown as pages, whose links lead somewhere. */
import axe from 'axe-core'
import { isTooWide, startDemo } from './demo.js'

const { address, visit } = await startDemo()

visit('the README and each page of docs can be read, and no link of theirs is dead', async (t, page) => {
  await page.getByRole('link', { name: 'Docs' }).click()
  await page.getByRole('heading', { level: 1, name: 'fastify-assessment-payment-listing' }).waitFor()
  await page.waitForURL(/README/)
  const linked = (): Promise<string[]> =>
    page.evaluate(
      "[...document.querySelectorAll('a')].map(({ href }) => href).filter((href) => href.startsWith(origin))"
    )
  const waiting = [page.url(), `${address}/docs/README.md`]
  for (const url of waiting) {
    await page.goto(url)
    const dead: string[] = []
    for (const href of await linked()) {
      const [target = '', id] = href.split('#')
      const file = await fetch(target)
      const text = await file.text()
      if (file.status !== 200 || (id && !text.includes(`id="${decodeURIComponent(id)}"`))) dead.push(href)
      if (target.endsWith('.md') && !waiting.includes(target)) waiting.push(target)
    }
    t.strictSame(dead, [], url)
  }
  t.ok(waiting.length > 20)
})

for (const colorScheme of ['light', 'dark'] as const) {
  visit(
    `a page of docs in ${colorScheme} on a phone`,
    async (t, page) => {
      await page.goto(`${address}/docs/lists.md`)
      t.notOk(await isTooWide(page))
      await page.evaluate(axe.source)
      const run = 'axe.run().then(({ violations }) => violations.map(({ id, nodes }) => id + nodes[0].html))'
      t.strictSame(await page.evaluate(run), [])
    },
    { colorScheme, viewport: { width: 390, height: 844 } }
  )
}
