/** A list of the server has everything that its definition has: columns, search, a control for each filter, and an order. */
import { column, isTooWide, looks, open, outcome, settled, startDemo, tabTo, totalOf, violations } from './demo.js'

const { visit, ask } = await startDemo()

visit('the columns and the search come from the definition', async (t, page) => {
  await open(page, '?list=certificates&search=AID&level=expert&limit=25')
  t.match(await outcome(page).innerText(), /^[\d,]+ certificates, page 1 of /)
  const { body } = await ask('Admin', 'certificate/list?search=AID&level=expert&limit=25')
  t.equal(await totalOf(page), body.total)
  const titles = 'Id, Issued (UTC), Email, Title, Level, Score, State, Hours, Passed, Valid until'
  t.equal((await page.locator('thead th').allInnerTexts()).join(', '), titles)
  const certificates = body.certificates as { passed: boolean; issuedAt: string }[]
  t.strictSame(
    await column(page, 'Issued (UTC)'),
    certificates.map(({ issuedAt }) => issuedAt.replace(/[TZ]/g, ' ').trim())
  )
  t.strictSame(
    await column(page, 'Passed'),
    certificates.map(({ passed }) => (passed ? 'yes' : 'no'))
  )
})

for (const [name, options] of Object.entries(looks)) {
  visit(
    `${name}: each kind of filter has a control, which the keyboard works`,
    async (t, page) => {
      await open(page, '?list=certificates')
      await page.locator('summary:visible').focus()
      await page.keyboard.press('Space')
      const type = async (control: string, keys: string[]) => {
        await tabTo(page, control)
        for (const key of keys) await page.keyboard.press(key)
        await settled(page)
      }
      await type('issued_from', [...'01012024'])
      await type('passed', ['y'])
      await type('state', ['Space'])
      await page.keyboard.press('Tab')
      await page.keyboard.press('Tab')
      await page.keyboard.press('Space')
      await type('score_from', [...'60.5'])
      await page.waitForURL(/score_from=60.5/)
      await settled(page)
      t.strictSame(await violations(page), [], 'the open box')
      t.notOk(await isTooWide(page))
      const query = 'issued_from=2024-01-01&passed=true&state=valid&state=revoked&score_from=60.5'
      t.equal(new URL(page.url()).search, `?list=certificates&${query}`)
      const { body } = await ask('Admin', `certificate/list?${query}`)
      t.ok(body.total > 0)
      t.equal(await totalOf(page), body.total)
      t.equal(await page.locator('summary:visible b').innerText(), '5')
    },
    options
  )

  visit(
    `${name}: the head of a column sorts by it, upwards, downwards and no more`,
    async (t, page) => {
      await open(page, '?list=certificates')
      const head = page.getByRole('columnheader', { name: 'Hours' })
      const states = []
      for (let press = 0; press < 3; press++) {
        await head.getByRole('button').focus()
        await page.keyboard.press('Enter')
        await settled(page)
        const [first = ''] = await column(page, 'Hours')
        states.push([await head.getAttribute('aria-sort'), press < 2 ? Number(first) : 'any'])
      }
      t.strictSame(states, [
        ['ascending', 4],
        ['descending', 40],
        [null, 'any']
      ])
      t.equal(await page.locator('[aria-sort]').innerText(), 'Issued (UTC)')
      t.strictSame(await violations(page), [])
    },
    options
  )
}
