/** Swagger UI is authorized as the caller who is chosen on the page. */
import { choose, show, startDemo } from './demo.js'

const { visit, callers } = await startDemo()

visit('"Try it out" asks as the chosen caller', async (t, page) => {
  await show(page, 'Payments')
  await choose(page, 'Caller', 'Master Practitioner')
  await page.getByRole('link', { name: 'Swagger UI' }).click()
  await page.getByRole('button', { name: 'Try it out' }).click()
  const [answer] = await Promise.all([
    page.waitForResponse(/payment\/list/),
    page.getByRole('button', { name: 'Execute' }).click()
  ])
  t.equal(answer.status(), 200)
  const token = callers.find(({ role }) => role === 'Master Practitioner')?.token
  t.equal(answer.request().headers().authorization, `Bearer ${token}`)
})
