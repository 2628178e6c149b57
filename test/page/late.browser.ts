/** What comes late, or after something else has been asked, is not shown; and the focus stays where it is. */
import type { Page } from 'playwright-core'
import { choose, column, focused, isTooWide, open, outcome, press, settled, startDemo, view } from './demo.js'

const { address, callers, visit, stop } = await startDemo()

/** Holds the first answer of a URL back until the returned function is called. */
async function holdFirst(page: Page, url: RegExp): Promise<() => Promise<void>> {
  let release = () => {}
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  await page.route(
    url,
    async (route) => {
      await released
      await route.continue().catch(() => {})
    },
    { times: 1 }
  )
  return async () => {
    release()
    await page.waitForTimeout(500)
  }
}

for (const [name, url, place] of [
  ['Who sees what', /demo\/who/, '#who'],
  ['Under the hood', /demo\/requests/, '#inside'],
  ['Code', /demo\/code/, '#snippet']
] as const) {
  visit(`${name}: what comes late does not replace what is shown`, async (t, page) => {
    const release = await holdFirst(page, url)
    await Promise.all([page.waitForRequest(url), page.getByRole('tab', { name, exact: true }).click()])
    await choose(page, 'Status', 'pending')
    if (name === 'Code') await page.getByRole('tab', { name: 'curl' }).click()
    const shown = await page.locator(place).innerText()
    t.match(shown, name === 'Who sees what' ? /^851 assessments match/ : /status/)
    await release()
    t.equal(await page.locator(place).innerText(), shown)
  })
}

visit('nothing can be copied while an answer is on its way', async (t, page) => {
  await view(page, 'Code')
  const release = await holdFirst(page, /assessment\/list/)
  await Promise.all([
    page.waitForRequest(/assessment\/list/),
    page.getByRole('combobox', { name: 'Status' }).selectOption('pending')
  ])
  await page.getByRole('tab', { name: 'curl' }).click()
  t.ok(await page.locator('#copy').isDisabled())
  await release()
  await settled(page)
  t.notOk(await page.locator('#copy').isDisabled())
  t.match(await page.locator('#snippet').innerText(), /status=pending/)
})

visit('who sorts by a column, or asks as another caller, keeps the focus', async (t, page) => {
  await open(page, '?list=certificates')
  await page.locator('#table button', { hasText: 'Hours' }).focus()
  for (const sorted of ['ascending', 'descending']) {
    await page.keyboard.press('Enter')
    await page.locator(`#table [aria-sort="${sorted}"] :focus`, { hasText: 'Hours' }).waitFor()
  }
  await view(page, 'Who sees what')
  await page.locator('#matrix button[value="Practitioner"]').focus()
  await page.keyboard.press('Enter')
  await page.locator('#matrix [aria-pressed="true"]:focus').waitFor()
  t.equal(await focused(page), 'Practitioner')
})

visit('a view that is chosen twice is one step back', async (t, page) => {
  const before = await page.evaluate('history.length')
  for (const _ of [1, 2, 3]) await view(page, 'Who sees what')
  t.equal(await page.evaluate('history.length'), Number(before) + 1)
})

visit('what is said of an inserted record is so', async (t, page) => {
  for (const [question, moved] of [
    ['?list=certificates&sort=certificate_id', /^Record \d+ is the newest now\. It is not on this page\.$/],
    ['?page=9999', /It is not on this page\.$/],
    ['?list=payments&page=3', /The marked record comes from the page before/]
  ] as const) {
    await open(page, question)
    await press(page, 'Insert a record')
    await page.getByText(moved).waitFor()
  }
  await open(page, '?list=payments')
  const release = await holdFirst(page, /demo\/records/)
  await Promise.all([
    page.waitForRequest(/demo\/records/),
    page.getByRole('button', { name: 'Insert a record' }).click()
  ])
  await page.getByRole('radio', { name: 'Certificates' }).check({ force: true })
  await settled(page)
  await release()
  await page.getByText(/It is not on this page\.$/).waitFor()
  t.match(await outcome(page).innerText(), /certificates/)
  t.equal(await page.locator('.came').count(), 0, 'records of another list have not come')
  await page.route(/demo\/records/, (route) => route.fulfill({ status: 502, body: '<h1>Bad gateway</h1>' }))
  await press(page, 'Insert a record')
  await page.getByText('The server does not answer.').waitFor()
})

visit(
  'a phone has each total in one line',
  async (t, page) => {
    await view(page, 'Who sees what')
    const lines = await page.evaluate(
      `[...document.querySelectorAll('#matrix thead span')].map(({ firstChild }) => {
        const range = document.createRange()
        range.selectNode(firstChild)
        return firstChild.data + ': ' + range.getClientRects().length
      })`
    )
    t.match(lines, [/^\d+: 1$/, /^1,\d+: 1$/], 'a total of each caller')
    t.strictSame(
      (lines as string[]).filter((line) => /^[\d,]+: /.test(line) && !line.endsWith(': 1')),
      []
    )
    t.notOk(await isTooWide(page))
    t.ok(await page.evaluate('matrix.scrollWidth <= matrix.clientWidth'), 'nor does the table need scrolling sideways')
  },
  { viewport: { width: 390, height: 844 } }
)

visit('paper has the table as a table', async (t, page) => {
  await page.setViewportSize({ width: 718, height: 1000 })
  await page.emulateMedia({ media: 'print' })
  t.equal(await page.evaluate("getComputedStyle(document.querySelector('#table tbody tr')).display"), 'table-row')
  t.equal((await column(page, 'Id')).length, 12)
})

visit('the head of the table stays in sight in a low window', async (t, page) => {
  await page.setViewportSize({ width: 1280, height: 500 })
  await open(page, '?limit=100')
  await page.locator('#table tbody tr').last().scrollIntoViewIfNeeded()
  t.ok(
    await page.getByRole('columnheader', { name: 'Email' }).evaluate((head) => head.getBoundingClientRect().top >= 0)
  )
})

visit('the callers’ tokens do not expire while the demo runs', async (t) => {
  for (const { role, token } of callers) {
    const { exp, iat } = JSON.parse(Buffer.from(String(token.split('.')[1]), 'base64url').toString())
    t.ok(exp - iat > 30 * 24 * 3600, role)
  }
  t.equal((await fetch(`${address}/demo/callers`)).status, 200)
})

visit('a server that is gone leaves no older answer in who sees what', async (t, page) => {
  await view(page, 'Who sees what')
  await view(page, 'Records')
  await stop()
  await view(page, 'Who sees what')
  t.equal(await page.locator('#who-outcome').innerText(), 'The server does not answer.')
  t.notOk(await page.locator('#matrix').isVisible())
})
