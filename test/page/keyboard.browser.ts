/** The page can be used without a mouse and without seeing it. */
import { outcome, settled, startDemo } from './demo.js'

const { visit } = await startDemo()

visit('the keyboard alone reaches and works everything, and the focus is seen', async (t, page) => {
  const focused = () =>
    page.evaluate(`{
      const { id, name, textContent } = document.activeElement
      const { outlineStyle, outlineWidth } = getComputedStyle(document.activeElement)
      ;[id || name || textContent.trim(), outlineStyle === 'solid' && parseInt(outlineWidth) >= 2]
    }`) as Promise<[string, boolean]>
  const stops: string[] = []
  for (let tries = 0; tries < 30 && stops.at(-1) !== 'The answer as JSON'; tries++) {
    await page.keyboard.press('Tab')
    const [stop, isSeen] = await focused()
    t.ok(isSeen, `the focus is seen on ${stop}`)
    stops.push(stop)
  }
  t.strictSame(stops, [
    'Swagger UI',
    'assessments',
    'caller',
    'search',
    'status',
    'limit',
    'Ask',
    'bad-token',
    'forbidden-role',
    'bad-page',
    'misspelt-parameter',
    'first',
    'previous',
    'next',
    'last',
    'copy',
    'The answer as JSON'
  ])

  await page.getByRole('radio', { name: 'Assessments' }).focus()
  await page.keyboard.press('ArrowRight')
  await settled(page)
  t.match(await outcome(page).innerText(), /^3,000 payments, page 1 of 250, /)
  await page.getByRole('button', { name: 'Last' }).focus()
  await page.keyboard.press('Enter')
  await settled(page)
  t.match(await outcome(page).innerText(), /^3,000 payments, page 250 of 250, /)
  t.strictSame((await focused())[0], 'last', 'the focus stays where it was')
  await page.getByRole('searchbox').focus()
  await page.keyboard.type('an')
  await page.keyboard.press('Enter')
  await settled(page)
  t.match(await outcome(page).innerText(), /^[\d,]+ payments, page 1 of /)
})

visit('the total is said by a live region, and an error by an alert', async (t, page) => {
  t.equal(await page.getByRole('status').first().getAttribute('id'), 'outcome')
  t.equal(await page.getByRole('alert').count(), 0)
  await page.getByRole('button', { name: 'A bad token' }).click()
  await settled(page)
  t.match(await page.getByRole('alert').innerText(), /Invalid or expired token/)
})
