/** The page can be used without a mouse and without seeing it. */
import { errors, focused, open, outcome, startDemo, tryError, type, view } from './demo.js'

const { visit } = await startDemo()

visit('the keyboard alone reaches and works everything, and the focus is seen', async (t, page) => {
  const isOutlined = () =>
    page.evaluate(`{
      const { outlineStyle, outlineWidth } = getComputedStyle(document.activeElement)
      outlineStyle === 'solid' && parseInt(outlineWidth) >= 2
    }`)
  const stops: string[] = []
  for (let tries = 0; tries < 40 && stops.at(-1) !== 'limit'; tries++) {
    await page.keyboard.press('Tab')
    const stop = await focused(page)
    // the radio itself is out of sight, and its text is outlined
    if (stop !== 'list') t.ok(await isOutlined(), `the focus is seen on ${stop}`)
    stops.push(stop)
  }
  const pages = ['first', 'previous', '1', 'next', 'last']
  const controls = ['Docs', 'swagger', 'list', 'role', 'search', 'status']
  t.strictSame(stops, [
    ...controls,
    'records',
    'again',
    'records',
    'insert',
    'csv',
    'by_hand',
    ...pages,
    'scroll',
    'limit'
  ])

  await page.getByRole('radio', { name: 'Assessments' }).focus()
  await type(page, 'ArrowRight')
  t.equal(await outcome(page), '3,000 payments, page 1 of 250')
  await page.getByRole('button', { name: 'Last' }).first().focus()
  await type(page, 'Enter')
  t.equal(await outcome(page), '3,000 payments, page 250 of 250')
  t.equal(await focused(page), 'last', 'the focus stays where it was')
  await page.getByRole('searchbox').focus()
  await page.keyboard.type('an')
  await type(page, 'Enter')
  t.match(await outcome(page), /^[\d,]+ payments, page 1 of /)
})

visit('an error, and another caller, leave the focus where it was', async (t, page) => {
  await view(page, 'Errors')
  for (const name of errors) {
    await page.getByRole('button', { name }).focus()
    await page.keyboard.press('Enter')
    await page.locator('#trial[aria-busy="false"]').waitFor()
    t.equal(await page.locator(':focus').innerText(), name)
  }
  await view(page, 'Who sees what')
  await page.locator('#matrix button[value="Practitioner"]').focus()
  await page.keyboard.press('Enter')
  await page.locator('#matrix [aria-pressed="true"]:focus').waitFor()
  t.equal(await focused(page), 'Practitioner')

  await view(page, 'Records')
  await page.route('**/assessment/list*', (route) => route.abort())
  for (const [control, key, name] of [
    [page.getByRole('button', { name: 'Next' }).first(), 'Enter', 'next'],
    [page.getByRole('button', { name: 'Ask again' }), 'Enter', 'again'],
    [page.getByRole('searchbox'), 'a', 'search'],
    [page.getByLabel('Caller'), 'ArrowDown', 'role']
  ] as const) {
    await control.focus()
    await type(page, key)
    t.ok(await page.locator('#problem').isVisible())
    t.equal(await focused(page), name)
  }
  t.equal(await page.locator('.pages:visible').count(), 0, 'an error has no pages')
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
