/** The page can be read by everybody: light, dark and on a phone, with the eyes or a screen reader. */
import { readdirSync, statSync } from 'node:fs'
import axe from 'axe-core'
import type { Page } from 'playwright-core'
import t from 'tap'
import { isTooWide, open, press, search, show, startDemo, tryError } from './demo.js'

const { visit } = await startDemo()

const changes = encodeURIComponent('{"roles":{"Individual":"all"},"also":{"Practitioner":"Admin"}}')

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
    `axe.run({ rules: { 'target-size': { enabled: true } } }).then(({ violations }) => violations.map(({ id, nodes }) => id + ': ' + nodes.map(({ html }) => html).join(' ')))`
  )
}

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
        const columns = 10
        // the roles by name: how a row is drawn must not decide what it is
        const roles = ['table', 'rowgroup', 'row', 'columnheader', 'rowheader', 'cell'].map((role) =>
          page.locator(`[role="${role}"]`).count()
        )
        t.strictSame(await Promise.all(roles), [1, 2, 13, columns, 12, 12 * (columns - 1)], list)
        const { count, wrapped } = await dates(page)
        t.ok(count >= 12)
        t.strictSame(wrapped, [], `no date of the ${list.toLowerCase()} is wrapped`)
      }
      t.strictSame(await violations(page), [], 'a table')
      for (const [address, name] of [
        ['?role=ordinary+user', 'an error'],
        ['?list=payments&search=nobody+at+all&processor_status=failed', 'nothing'],
        [`?search=${'nobody'.repeat(40)}`, 'nothing for a long term'],
        ['?page=1000', 'a page past the end'],
        ['?list=payments', 'every kind of badge'],
        ['?list=certificates&sort=hours', 'every kind of filter, and an order'],
        ['?role=Practitioner&by_hand=yes', 'a list written by hand'],
        ['?view=who', 'Who sees what'],
        [`?view=who&changes=${changes}`, 'Who sees what, changed'],
        ['?list=certificates&record=1200', 'a record'],
        ['?list=certificates&role=Individual&record=1200', 'a record that is not for the caller'],
        ['?role=Practitioner&search=an&view=inside', 'Under the hood'],
        ['?list=certificates&view=code', 'Code']
      ] as const) {
        await open(page, address)
        if (name.startsWith('every')) await press(page, 'Insert a record')
        for (const box of await page.locator('summary:visible').all()) await box.click()
        t.strictSame(await violations(page), [], name)
        t.notOk(await isTooWide(page), name)
      }
      // an open box of filters covers the views of a phone
      await open(page, '?list=payments')
      await tryError(page, 'A misspelt parameter')
      t.strictSame(await violations(page), [], 'an error to try')
    },
    options
  )
}

t.test('the page and its styles together stay small', async (t) => {
  const sizes = readdirSync('examples/page')
    .filter((name) => /\.(html|css|js)$/.test(name))
    .map((name) => statSync(`examples/page/${name}`).size)
  t.ok(sizes.reduce((sum, size) => sum + size) < 60_000)
})

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

visit('the controls fit one line at 1280 pixels, and the first screen has records', async (t, page) => {
  for (const [width, height, lines] of [
    [1280, 800, 1],
    [390, 844, 4]
  ] as const) {
    await page.setViewportSize({ width, height })
    for (const list of ['assessments', 'payments', 'certificates']) {
      await open(page, `?list=${list}`)
      t.ok((await page.locator('#question').evaluate((form) => form.clientHeight)) <= lines * 45, `${list}, ${width}`)
      const top = await page
        .locator('tbody tr')
        .first()
        .evaluate((row) => row.getBoundingClientRect().top)
      t.ok(top < height * 0.45, `${list}, ${width}: ${top}`)
    }
  }
})

visit('what the page is, and that its people are invented, is said on a phone too', async (t, page) => {
  await page.setViewportSize({ width: 390, height: 844 })
  t.ok(await page.getByText('All people are invented.').isVisible())
  t.notOk(await isTooWide(page))
})

visit('the head of the table and the pages stay in sight, in a low window too', async (t, page) => {
  for (const [height, parts] of [
    [720, ['thead th >> nth=0', '.pages >> nth=0', '.pages >> nth=1']],
    [500, ['thead th >> nth=0']]
  ] as const) {
    await page.setViewportSize({ width: 1280, height })
    await open(page, '?limit=100')
    await page.locator('tbody tr').last().scrollIntoViewIfNeeded()
    for (const part of parts) {
      const { top, bottom } = await page.locator(part).evaluate((each) => each.getBoundingClientRect())
      t.ok(top >= 0 && bottom <= height, `${part}, ${height}`)
    }
  }
})

visit('on paper stands the whole table, and no control', async (t, page) => {
  await page.setViewportSize({ width: 718, height: 1000 })
  await open(page, '?limit=100')
  await page.emulateMedia({ media: 'print' })
  t.ok(await page.getByRole('caption').isVisible())
  for (const part of ['header', '#question', '.pages >> nth=0', '#csv'])
    t.notOk(await page.locator(part).isVisible(), part)
  t.equal(await page.evaluate("getComputedStyle(document.querySelector('#table tbody tr')).display"), 'table-row')
  const last = page.locator('tbody tr').last()
  const { bottom } = await last.evaluate((row) => row.getBoundingClientRect())
  const height = await page.evaluate('document.documentElement.scrollHeight')
  t.ok(bottom > 2000 && bottom <= Number(height), 'nothing is cut')
})
