/** The documentation is shown as pages, whose links lead somewhere. */
import { startDemo } from './demo.js'

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
