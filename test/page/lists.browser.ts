/** A list of the server has everything that its definition has: columns, search, a control for each filter, and an order. */
import { column, focused, open, outcome, settled, startDemo, totalOf, type } from './demo.js'

const { visit, ask } = await startDemo()

visit('the columns and the search come from the definition', async (t, page) => {
  await open(page, '?list=certificates&search=AID&level=expert&limit=25')
  t.match(await outcome(page), /^[\d,]+ certificates, page 1 of /)
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

visit('each kind of filter has a control, which the keyboard works', async (t, page) => {
  await open(page, '?list=certificates')
  await page.locator('summary:visible').focus()
  await page.keyboard.press('Space')
  /** Goes to a control with the Tab key alone, and works it. */
  const work = async (control: string, keys: string[]) => {
    for (let tries = 0; tries === 0 || (await focused(page)) !== control; tries++) {
      if (tries === 80) throw new Error(`The Tab key does not reach ${control}.`)
      await page.keyboard.press('Tab')
    }
    for (const key of keys) await page.keyboard.press(key)
    await settled(page)
  }
  await work('issued_from', [...'01012024'])
  await work('passed', ['y'])
  await work('state', ['Space', 'Tab', 'Tab', 'Space'])
  await work('score_from', [...'60.5'])
  await page.waitForURL(/score_from=60.5/)
  await settled(page)
  const query = 'issued_from=2024-01-01&passed=true&state=valid&state=revoked&score_from=60.5'
  t.equal(new URL(page.url()).search, `?list=certificates&${query}`)
  const { body } = await ask('Admin', `certificate/list?${query}`)
  t.ok(body.total > 0)
  t.equal(await totalOf(page), body.total)
  t.equal(await page.locator('summary:visible b').innerText(), '5')
})

visit('the head of a column sorts by it, upwards, downwards and no more', async (t, page) => {
  await open(page, '?list=certificates')
  const head = page.getByRole('columnheader', { name: 'Hours' })
  await head.getByRole('button').focus()
  for (const [sorted, first] of [
    ['ascending', '4'],
    ['descending', '40']
  ]) {
    await type(page, 'Enter')
    t.strictSame([await head.getAttribute('aria-sort'), (await column(page, 'Hours'))[0]], [sorted, first])
    await head.locator(':focus').waitFor()
  }
  await type(page, 'Enter')
  t.equal(await page.locator('[aria-sort]').innerText(), 'Issued (UTC)')
})
