/** The page can be read by everybody: light, dark and on a phone, with the eyes or a screen reader. */
import axe from 'axe-core'
import type { Page } from 'playwright-core'
import { column, open, search, show, startDemo, tryError } from './demo.js'

const { visit } = await startDemo()

const desk = { viewport: { width: 1280, height: 800 } }
const phone = { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true }
const looks = {
  light: { colorScheme: 'light', ...desk },
  dark: { colorScheme: 'dark', ...desk },
  phone: { colorScheme: 'light', ...phone },
  'dark phone': { colorScheme: 'dark', ...phone }
} as const

/** What the rules of axe find wrong, contrast and names of controls among them. */
async function violations(page: Page): Promise<string[]> {
  await page.evaluate(axe.source)
  return page.evaluate(
    `axe.run().then(({ violations }) => violations.map(({ id, nodes }) => id + ': ' + nodes.map(({ html }) => html).join(' ')))`
  )
}

/** Whether the page, or one of its boxes, needs scrolling sideways. */
const isTooWide = (page: Page) =>
  page.evaluate(`
    document.documentElement.scrollWidth > innerWidth ||
    [...document.querySelectorAll('section')].some((box) => box.scrollWidth > box.clientWidth)
  `)

/** The cells of dates, and those that are higher than one line. */
const dates = (page: Page) =>
  page.evaluate(`{
    const cells = [...document.querySelectorAll('tbody td')].filter((cell) => /^\\d{4}-\\d\\d-/.test(cell.textContent))
    const isWrapped = (cell) => new Set([...cell.firstChild.getClientRects()].map(({ top }) => top)).size > 1
    ;({ count: cells.length, wrapped: cells.filter(isWrapped).map((cell) => cell.textContent) })
  }`) as Promise<{ count: number; wrapped: string[] }>

for (const [name, options] of Object.entries(looks)) {
  visit(
    `${name}: everything can be read, and the table is one`,
    async (t, page) => {
      await search(page, 'an')
      for (const list of ['Payments', 'Assessments']) {
        await show(page, list)
        t.notOk(await isTooWide(page), `${list} need no scrolling sideways`)
        t.equal(await page.getByRole('columnheader').count(), 10, list)
        t.equal(await page.getByRole('rowheader').count(), 12, list)
        t.equal(await page.getByRole('cell').count(), 12 * 9, list)
        // the roles by name: how a row is drawn must not decide what it is
        const roles = ['table', 'rowgroup', 'row', 'columnheader', 'rowheader', 'cell'].map((role) =>
          page.locator(`[role="${role}"]`).count()
        )
        t.strictSame(await Promise.all(roles), [1, 2, 13, 10, 12, 12 * 9], list)
        const { count, wrapped } = await dates(page)
        t.ok(count >= 12)
        t.strictSame(wrapped, [], `no date of the ${list.toLowerCase()} is wrapped`)
      }
      t.strictSame(await violations(page), [], 'a table')
      await page.getByText('The answer as JSON').click()
      for (const [address, name] of [
        ['?role=ordinary+user', 'an error'],
        ['?list=payments&search=nobody+at+all&status=failed', 'nothing'],
        [`?search=${'nobody'.repeat(40)}`, 'nothing for a long term'],
        ['?page=1000', 'a page past the end'],
        ['?list=payments', 'every kind of badge']
      ] as const) {
        await open(page, address)
        await tryError(page, 'A misspelt parameter')
        t.strictSame(await violations(page), [], name)
        t.notOk(await isTooWide(page), name)
      }
    },
    options
  )
}

visit('between a phone and a desk every width has room for both lists', async (t, page) => {
  for (const list of ['assessments', 'payments']) {
    await open(page, `?list=${list}&limit=100`)
    for (const width of [320, 640, 768, 1024, 1263, 1264, 1280, 1920]) {
      await page.setViewportSize({ width, height: 800 })
      t.notOk(await isTooWide(page), `${list}, ${width}`)
      t.strictSame((await dates(page)).wrapped, [], `${list}, ${width}`)
    }
  }
})

visit('the order is said: at the head of the column, or above the table where the answer lacks it', async (t, page) => {
  const sorted = page.locator('[aria-sort]')
  t.match(await page.getByRole('caption').innerText(), /newest first \(by created_at, which is not in the answer\)$/)
  t.equal(await sorted.count(), 0, 'no column of the assessments has it')
  await open(page, '?list=payments')
  t.match(await page.getByRole('caption').innerText(), /newest first \(by created_at\)$/)
  t.strictSame(await sorted.allInnerTexts(), ['Created'])
  t.equal(await sorted.getAttribute('aria-sort'), 'descending')
  t.match(await page.evaluate("getComputedStyle(document.querySelector('[aria-sort]'), '::after').content"), /▼/)
  const created = await column(page, 'Created')
  t.strictSame(created, created.toSorted().toReversed())
})
