/** Every caller sees in both lists what the caller's role allows. */
import { choose, outcome, problemOf, show, startDemo, totalOf } from './demo.js'

const { callers, ask, visit } = await startDemo()

for (const { role, name } of callers) {
  visit(`${role}: the page shows what the lists say`, async (t, page) => {
    await choose(page, 'Caller', { label: `${role}: ${name}` })
    for (const [list, path] of [
      ['Assessments', 'assessment/list?search='],
      ['Payments', 'payment/list']
    ] as const) {
      await show(page, list)
      const { status, body } = await ask(role, path)
      if (status === 200) {
        t.equal(await totalOf(page), body.total)
        t.ok(await page.getByRole('table', { name: `${list} that ${name} (${role}) may see` }).isVisible())
      } else {
        t.match(await outcome(page).innerText(), /^403 Forbidden/)
        t.strictSame(JSON.parse((await problemOf(page)).raw), body)
        t.strictSame([list, role], ['Assessments', 'ordinary user'], 'the only one who is refused')
      }
    }
  })
}
