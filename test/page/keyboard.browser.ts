/** The page can be used without a mouse and without seeing it. */
import { errors, focused, open, outcome, problem, settled, startDemo, tryError } from './demo.js'

const { visit } = await startDemo()

visit('the keyboard alone reaches and works everything, and the focus is seen', async (t, page) => {
  const isOutlined = () =>
    page.evaluate(`{
      const { outlineStyle, outlineWidth } = getComputedStyle(document.activeElement)
      outlineStyle === 'solid' && parseInt(outlineWidth) >= 2
    }`)
  const stops: string[] = []
  for (let tries = 0; tries < 30 && stops.at(-1) !== 'misspelt-parameter'; tries++) {
    await page.keyboard.press('Tab')
    const stop = await focused(page)
    t.ok(await isOutlined(), `the focus is seen on ${stop}`)
    stops.push(stop)
  }
  t.strictSame(stops, [
    ...[
      'Swagger UI',
      'list',
      'role',
      'search',
      'status',
      'limit',
      'Search',
      'first',
      'previous',
      'next',
      'last',
      'copy'
    ],
    ...['The answer as JSON', 'bad-token', 'forbidden-role', 'bad-page', 'misspelt-parameter']
  ])

  await page.getByRole('radio', { name: 'Assessments' }).focus()
  await page.keyboard.press('ArrowRight')
  await settled(page)
  t.match(await outcome(page).innerText(), /^3,000 payments, page 1 of 250, /)
  await page.getByRole('button', { name: 'Last' }).focus()
  await page.keyboard.press('Enter')
  await settled(page)
  t.match(await outcome(page).innerText(), /^3,000 payments, page 250 of 250, /)
  t.equal(await focused(page), 'last', 'the focus stays where it was')
  await page.getByRole('searchbox').focus()
  await page.keyboard.type('an')
  await page.keyboard.press('Enter')
  await settled(page)
  t.match(await outcome(page).innerText(), /^[\d,]+ payments, page 1 of /)
})

visit('an error leaves the focus where it was', async (t, page) => {
  for (const name of errors) {
    await page.getByRole('button', { name }).focus()
    await page.keyboard.press('Enter')
    await page.locator('#trial[aria-busy="false"]').waitFor()
    t.equal(await page.locator(':focus').innerText(), name)
  }

  await page.route('**/assessment/list*', (route) => route.abort())
  const press = async (key: string) => {
    await page.keyboard.press(key)
    await settled(page)
    t.ok(await problem(page).isVisible())
    return focused(page)
  }
  await page.getByRole('button', { name: 'Next' }).focus()
  t.equal(await press('Enter'), 'next')
  await page.getByRole('button', { name: 'Search' }).focus()
  t.equal(await press('Enter'), 'Search')
  t.notOk(await page.getByRole('button', { name: 'Next' }).isVisible(), 'an error has no pages')
  await page.getByRole('searchbox').focus()
  t.equal(await press('a'), 'search')
  await page.getByLabel('Caller').focus()
  t.equal(await press('ArrowDown'), 'role')
})

visit('the total is said by a live region, and an error by an alert', async (t, page) => {
  t.equal(await page.getByRole('status').first().getAttribute('id'), 'outcome')
  const alert = page.getByRole('alert').filter({ hasText: /./ })
  t.equal(await alert.count(), 0)
  await open(page, '?role=ordinary+user')
  t.match(await alert.innerText(), /Choose another caller[\s\S]+You do not have permission/)
  await open(page, './')
  await tryError(page, 'A bad token')
  t.match(await alert.innerText(), /Load this page again[\s\S]+Invalid or expired token/)
})
