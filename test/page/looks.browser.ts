/** The page can be read and used by everybody: light, dark, on a phone, by keyboard and by a screen reader. */
import axe from 'axe-core'
import type { Page } from 'playwright-core'
import t from 'tap'
import { outcome, settled, startDemo } from './demo.js'

const { visit } = await startDemo()

const looks = {
  light: { colorScheme: 'light', viewport: { width: 1280, height: 800 } },
  dark: { colorScheme: 'dark', viewport: { width: 1280, height: 800 } },
  phone: { colorScheme: 'light', viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true },
  'dark phone': { colorScheme: 'dark', viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true }
} as const

/** What the rules of axe find wrong, contrast and names of controls among them. */
async function violations(page: Page): Promise<string[]> {
  await page.evaluate(axe.source)
  return page.evaluate(
    `axe.run().then(({ violations }) => violations.map(({ id, nodes }) => id + ': ' + nodes.map(({ html }) => html).join(' ')))`
  )
}

const isTooWide = (page: Page) => page.evaluate('document.documentElement.scrollWidth > innerWidth')
const colourOf = (page: Page) => page.evaluate('getComputedStyle(document.body).backgroundColor')

const colours: Record<string, unknown> = {}
for (const [name, options] of Object.entries(looks)) {
  visit(
    `${name}: everything can be read, and the table is one`,
    async (t, page) => {
      colours[name] = await colourOf(page)
      await page.getByRole('searchbox').fill('an')
      for (const list of ['Payments', 'Assessments']) {
        await page.getByRole('radio', { name: list }).check()
        await settled(page)
        t.strictSame(await violations(page), [], list)
        t.notOk(await isTooWide(page), `${list} need no scrolling sideways`)
        t.equal(await page.getByRole('columnheader').count(), 10, list)
        t.equal(await page.getByRole('rowheader').count(), 12, list)
        t.equal(await page.getByRole('cell').count(), 12 * 9, list)
      }
      await page.getByText('The answer as JSON').click()
      await page.getByRole('button', { name: 'A bad token' }).click()
      await settled(page)
      t.strictSame(await violations(page), [], 'an error')
      t.notOk(await isTooWide(page))
    },
    options
  )
}

t.test('dark is darker than light', async (t) => {
  t.not(colours.light, undefined)
  t.not(colours.light, colours.dark)
  t.strictSame([colours.phone, colours['dark phone']], [colours.light, colours.dark])
})

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
