/** The demo's page in a browser, as its tests use it. */
import type { BrowserContextOptions, Page } from 'playwright-core'
import t, { type Test } from 'tap'
import { callersOf, startExample } from '../support/hosts/example.mjs'
import { launch } from './chromium.mjs'

/** A test with a page of its own; what is in `problems` at its end, from the browser's console, fails it. */
type Body = (t: Test, page: Page, problems: string[]) => Promise<void>

/** The demo in a process, and a browser, until the file's tests end. */
export async function startDemo() {
  const { address, stop } = await startExample({})
  t.teardown(() => stop())
  const callers = await callersOf(address)
  /** What a list answers to the test itself, to compare. */
  const ask = async (role: string, path: string) => {
    const token = callers.find((caller) => caller.role === role)?.token
    const response = await fetch(`${address}/${path}`, { headers: { authorization: `Bearer ${token}` } })
    return { status: response.status, body: (await response.json()) as Record<string, unknown> & { total: number } }
  }
  return { address, stop, callers, ask, visit: await visitor(address) }
}

/** Starts the browser that visits an address. */
export async function visitor(address: string) {
  const browser = await launch()
  t.teardown(() => browser.close())
  return (name: string, body: Body, options: BrowserContextOptions = {}): void => {
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
      await answered(page, page.goto(address))
      await body(t, page, problems)
      t.strictSame(problems, [], 'nothing in the console')
    })
  }
}

/** Waits until the page shows the answer to what was done last. */
export const settled = (page: Page): Promise<void> => page.locator('#answer[aria-busy="false"]').waitFor()

async function answered(page: Page, act: Promise<unknown>): Promise<void> {
  await act
  await settled(page)
}

// Each of these does something, and waits for the answer.
export const search = (page: Page, term: string) => answered(page, page.getByRole('searchbox').fill(term))
export const show = (page: Page, list: string) =>
  answered(page, page.getByRole('radio', { name: list }).check({ force: true }))
export const choose = (page: Page, control: string, value: string | { label: string }) =>
  answered(page, page.getByRole('combobox', { name: control, exact: true }).selectOption(value))
// the buttons of pages stand above and below
export const press = (page: Page, button: string) =>
  answered(page, page.getByRole('button', { name: button, exact: true }).first().click())
export const type = (page: Page, key: string) => answered(page, page.keyboard.press(key))
/** Opens the page at an address of its own, such as `?list=payments`. */
export const open = (page: Page, address: string) => answered(page, page.goto(new URL(address, page.url()).href))
/** Shows a view of the answer. */
export const view = (page: Page, name: string) => answered(page, page.getByRole('tab', { name, exact: true }).click())

/** Lets something be asked for and not answered. @returns what lets the answer through */
export async function hold(page: Page, url: RegExp, ask: () => Promise<unknown>) {
  let release = () => {}
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  const wait = async (route: { continue(): Promise<void> }) => {
    await released
    await route.continue().catch(() => {})
  }
  await page.route(url, wait, { times: 1 })
  await Promise.all([page.waitForRequest(url), ask()])
  return async () => {
    release()
    await page.waitForTimeout(400)
  }
}

/** Whether the page needs scrolling sideways. */
export const isTooWide = (page: Page) => page.evaluate('document.documentElement.scrollWidth > innerWidth')

/** The errors that the page offers to try. */
export const errors = ['A bad token', 'A forbidden role', 'A bad page', 'A misspelt parameter']

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

/** What the live region says of how it ended, without how long it took. */
export const outcome = async (page: Page) => (await page.locator('#outcome').innerText()).replace(/, \d+ ms$/, '')

/** The total that the page shows. */
export async function totalOf(page: Page): Promise<number> {
  const [, total] = /^([\d,]+) (assessments|payments|certificates)/.exec(await outcome(page)) ?? []
  return Number(total?.replaceAll(',', ''))
}

/** The texts of a column's cells. */
export const column = (page: Page, title: string): Promise<string[]> =>
  page.locator(`tbody [data-title="${title}"]`).allInnerTexts()
