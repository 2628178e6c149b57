/** A list that the page does not know comes from the OpenAPI document. */
import { column, open, outcome, startDemo, totalOf } from './demo.js'

const { visit, ask } = await startDemo()

visit('a list of the server has its columns, its search and its filter from the OpenAPI document', async (t, page) => {
  await open(page, '?list=certificates&search=AID&status=expert&limit=25')
  t.match(await outcome(page).innerText(), /^[\d,]+ certificates, page 1 of /)
  const { body } = await ask('Admin', 'certificate/list?search=AID&level=expert&limit=25')
  t.equal(await totalOf(page), body.total)
  const titles = 'Certificate id, Email, Title, Level, Score, Issued at, Passed, Valid until'
  t.equal((await page.locator('thead th').allInnerTexts()).join(', '), titles)
  const certificates = body.certificates as { title: string; issuedAt: string }[]
  t.strictSame(
    await column(page, 'Issued at'),
    certificates.map(({ issuedAt }) => issuedAt)
  )
  t.equal(await page.locator('#filter').innerText(), 'Level')
})
