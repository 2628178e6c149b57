/** Swagger UI is authorized as the caller who is chosen on the page. */
import { choose, show, startDemo, totalOf } from './demo.js'

const { visit, ask } = await startDemo()

visit('"Try it out" asks as the chosen caller', async (t, page) => {
  await show(page, 'Payments')
  await choose(page, 'Caller', 'Master Practitioner')
  const total = await totalOf(page)
  t.equal(total, (await ask('Master Practitioner', 'payment/list')).body.total)
  await page.getByRole('link', { name: 'Swagger UI' }).click()
  await page.getByRole('button', { name: 'Try it out' }).click()
  const [answer] = await Promise.all([
    page.waitForResponse(/payment\/list/),
    page.getByRole('button', { name: 'Execute' }).click()
  ])
  t.equal(answer.status(), 200)
  t.equal((await answer.json()).total, total)
})
