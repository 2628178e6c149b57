/** The page can be read by everybody: light, dark and on a phone, with the eyes or a screen reader. */
import axe from 'axe-core'
import type { Page } from 'playwright-core'
import t from 'tap'
import { settled, startDemo } from './demo.js'

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
        t.notOk(await isTooWide(page), `${list} need no scrolling sideways`)
        t.equal(await page.getByRole('columnheader').count(), 10, list)
        t.equal(await page.getByRole('rowheader').count(), 12, list)
        t.equal(await page.getByRole('cell').count(), 12 * 9, list)
        // the roles by name: how a row is drawn must not decide what it is
        const roles = ['table', 'rowgroup', 'row', 'columnheader', 'rowheader', 'cell'].map((role) =>
          page.locator(`[role="${role}"]`).count()
        )
        t.strictSame(await Promise.all(roles), [1, 2, 13, 10, 12, 12 * 9], list)
      }
      t.strictSame(await violations(page), [], 'a table')
      await page.getByText('The answer as JSON').click()
      await page.getByRole('button', { name: 'A bad token' }).click()
      await settled(page)
      t.strictSame(await violations(page), [], 'an error')
      t.notOk(await isTooWide(page))
    },
    options
  )
}

t.test('the phone has the colours of its scheme, and dark has others than light', async (t) => {
  t.not(colours.light, undefined)
  t.not(colours.light, colours.dark)
  t.strictSame([colours.phone, colours['dark phone']], [colours.light, colours.dark])
})
