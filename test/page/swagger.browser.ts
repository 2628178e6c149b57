/** Swagger UI says where a token is, and the token that is there opens the lists. */
import { startDemo } from './demo.js'

const { address, callers, visit } = await startDemo()

visit('the hint of Swagger UI leads to the tokens, and one of them is accepted', async (t, page) => {
  await page.getByRole('link', { name: 'Swagger UI' }).click()
  await page.getByRole('button', { name: 'Authorize' }).first().click()
  const hint = page.locator('.auth-container .renderedMarkdown')
  t.equal(await hint.innerText(), 'Each caller in /demo/callers has a token. Copy one without its quotes.')
  const [other] = await Promise.all([page.waitForEvent('popup'), hint.getByRole('link').click()])
  t.equal(other.url(), `${address}/demo/callers`)
  t.strictSame(JSON.parse(await other.locator('body').innerText()), callers)
  const token = /"role":"Admin".*?"token":"([^"]+)"/.exec(await other.locator('body').innerText())?.[1]
  await page.getByLabel('auth-bearer-value').fill(String(token))
  await page.getByRole('button', { name: 'Apply credentials' }).click()
  await page.getByRole('button', { name: 'Close' }).first().click()

  await page
    .getByRole('button', { name: /^GET \/payment\/list/ })
    .first()
    .click()
  await page.getByRole('button', { name: 'Try it out' }).click()
  const [answer] = await Promise.all([
    page.waitForResponse(/payment\/list/),
    page.getByRole('button', { name: 'Execute' }).click()
  ])
  t.equal(answer.status(), 200)
})
