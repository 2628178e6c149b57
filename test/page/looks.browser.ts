import axe from 'axe-core'
import type { Page } from 'playwright-core'
import { isTooWide, open, press, search, show, startDemo, tryError } from './demo.js'

const { visit } = await startDemo()

const changes = encodeURIComponent('{"roles":{"Individual":"all"},"also":{"Practitioner":"Admin"}}')

const desk = { viewport: { width: 1280, height: 800 } }
const phone = { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true }
const looks = { light: { colorScheme: 'light', ...desk }, 'a dark phone': { colorScheme: 'dark', ...phone } } as const

/** What the rules of axe find wrong, contrast and names of controls among them. */
async function violations(page: Page): Promise<string[]> {
  await page.evaluate(axe.source)
  return page.evaluate(
    `axe.run({ rules: { 'target-size': { enabled: true } } }).then(({ violations }) => violations.map(({ id, nodes }) => id + ': ' + nodes.map(({ html }) => html).join(' ')))`
  )
}

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
