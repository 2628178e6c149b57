/** The demo's page in a browser, as its tests use it. */
import axe from 'axe-core'
import type { BrowserContextOptions, Page } from 'playwright-core'
import t, { type Test } from 'tap'
import { startExample } from '../support/example.mjs'
import { launch } from './chromium.mjs'

export interface Caller {
  name: string
  role: string
  token: string
}

/** What a list answers to the test itself, to compare. */
export interface Answer {
  status: number
  body: Record<string, unknown> & { total: number }
}

/** A test with a page of its own; what is in `problems` at its end, from the browser's console, fails it. */
export type Visit = (
  name: string,
  body: (t: Test, page: Page, problems: string[]) => Promise<void>,
  options?: BrowserContextOptions
) => void

/** The demo in a process, and a browser, until the file's tests end. */
export async function startDemo() {
  const { address, stop } = await startExample({})
  t.teardown(() => stop())
  const callers = (await (await fetch(`${address}/demo/callers`)).json()) as Caller[]
  const ask = async (role: string, path: string): Promise<Answer> => {
    const token = callers.find((caller) => caller.role === role)?.token
    const response = await fetch(`${address}/${path}`, { headers: { authorization: `Bearer ${token}` } })
    return { status: response.status, body: (await response.json()) as Answer['body'] }
  }
  return { address, stop, callers, ask, visit: await visitor(address) }
}

/** Starts the browser that visits an address. */
export async function visitor(address: string): Promise<Visit> {
  const browser = await launch()
  t.teardown(() => browser.close())
  return (name, body, options = {}) => {
    void t.test(name, async (t) => {
      const context = await browser.newContext({ permissions: ['clipboard-read', 'clipboard-write'], ...options })
      t.teardown(() => context.close())
      context.setDefaultTimeout(20_000)
      const page = await context.newPage()
      const problems: string[] = []
      page.on('pageerror', (error) => problems.push(String(error)))
      page.on('dialog', (dialog) => problems.push(`dialog: ${dialog.message()}`))
      page.on('console', (message) => {
        // what Chromium says of every answer that is an error; the page shows it
        if (!message.text().startsWith('Failed to load resource')) problems.push(message.text())
      })
      await page.goto(address)
      await settled(page)
      await body(t, page, problems)
      t.strictSame(problems, [], 'nothing in the console')
    })
  }
}

/** Waits until the page shows the answer to what was done last. */
export const settled = (page: Page): Promise<void> => page.locator('#answer[aria-busy="false"]').waitFor()

/** Searches for a term, and waits for the answer, as the three functions below do. */
export async function search(page: Page, term: string): Promise<void> {
  await page.getByRole('searchbox').fill(term)
  await settled(page)
}

export async function show(page: Page, list: string): Promise<void> {
  await page.getByRole('radio', { name: list }).check({ force: true })
  await settled(page)
}

export async function choose(page: Page, control: string, value: string | { label: string }): Promise<void> {
  await page.getByRole('combobox', { name: control, exact: true }).selectOption(value)
  await settled(page)
}

export async function press(page: Page, button: string): Promise<void> {
  // the buttons of pages stand above and below
  await page.getByRole('button', { name: button, exact: true }).first().click()
  await settled(page)
}

/** Opens the page at an address of its own, such as `?list=payments`. */
export async function open(page: Page, address: string): Promise<void> {
  await page.goto(new URL(address, page.url()).href)
  await settled(page)
}

/** Both sizes and both schemes in which the views are tried. */
export const looks = Object.fromEntries(
  [1280, 390].flatMap((width) =>
    (['light', 'dark'] as const).map((colorScheme) => [
      `${width} pixels, ${colorScheme}`,
      { colorScheme, viewport: { width, height: 800 } }
    ])
  )
)

/** What the rules of axe find wrong, contrast and names of controls among them. */
export async function violations(page: Page): Promise<string[]> {
  await page.evaluate(axe.source)
  return page.evaluate(
    `axe.run().then(({ violations }) => violations.map(({ id, nodes }) => id + ': ' + nodes.map(({ html }) => html).join(' ')))`
  )
}

/** Whether the page needs scrolling sideways. */
export const isTooWide = (page: Page) => page.evaluate('document.documentElement.scrollWidth > innerWidth')

/** Goes to a control with the Tab key alone. @throws Error when it cannot be reached */
export async function tabTo(page: Page, name: string): Promise<void> {
  for (let tries = 0; tries < 80; tries++) {
    await page.keyboard.press('Tab')
    if ((await focused(page)) === name) return
  }
  throw new Error(`The Tab key does not reach ${name}.`)
}

/** The errors that the page offers to try. */
export const errors = ['A bad token', 'A forbidden role', 'A bad page', 'A misspelt parameter']

/** Shows a view of the answer. */
export async function view(page: Page, name: string): Promise<void> {
  await page.getByRole('tab', { name, exact: true }).click()
  await settled(page)
}

/** Tries an error, and gives what the page shows of it. */
export async function tryError(page: Page, name: string) {
  await view(page, 'Errors')
  await page.getByRole('button', { name }).click()
  await page.locator('#trial[aria-busy="false"]').waitFor()
  return {
    outcome: await page.locator('#trial-outcome').innerText(),
    ...(await problemOf(page, '#trial-problem')),
    curl: await page.locator('#trial-curl').innerText()
  }
}

/** What a place of the page says of an error: the list's own words, and what they mean. */
export async function problemOf(page: Page, place = '#problem') {
  const [meaning, raw] = await Promise.all(['p', 'pre'].map((tag) => page.locator(`${place} ${tag}`).innerText()))
  return { meaning: String(meaning), raw: String(raw) }
}

/** Which element has the focus, by its id, name or text. */
export const focused = (page: Page): Promise<string> =>
  page.evaluate(
    'document.activeElement.id || document.activeElement.name || document.activeElement.value || document.activeElement.textContent.trim()'
  )

/** The live region that says how it ended. */
export const outcome = (page: Page) => page.locator('#outcome')

/** The alert that says what went wrong. */
export const problem = (page: Page) => page.locator('#problem')

/** The total that the page shows. */
export async function totalOf(page: Page): Promise<number> {
  const text = await outcome(page).innerText()
  return Number(/^([\d,]+) (assessments|payments|certificates), /.exec(text)?.[1]?.replaceAll(',', ''))
}

/** The texts of a column's cells. */
export const column = (page: Page, title: string): Promise<string[]> =>
  page.locator(`tbody [data-title="${title}"]`).allInnerTexts()
