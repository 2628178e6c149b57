/**
 * The table shows the items of the list's own answer, and marks what was searched for. A list of the server has everything
 * that its definition has: columns, search, a control for each filter, and an order.
 */
import { column, focused, open, outcome, search, settled, show, startDemo, totalOf, type } from './demo.js'

const { visit, ask } = await startDemo()

visit('the columns and the search come from the definition', async (t, page) => {
  await open(page, '?list=certificates&search=AID&level=expert&limit=25')
  t.match(await outcome(page), /^[\d,]+ certificates, 25 shown$/)
  const { body } = await ask('Admin', 'certificate/list?search=AID&level=expert&limit=25&total=true')
  t.equal(await totalOf(page), body.total)
  const titles = 'Id, Issued (UTC), Email, Title, Level, Score, State, Hours, Remark, Passed, Valid until'
  t.equal((await page.locator('#table thead th').allInnerTexts()).join(', '), titles)
  const certificates = body.certificates as { passed: boolean; issuedAt: string }[]
  t.strictSame(
    await column(page, 'Issued (UTC)'),
    certificates.map(({ issuedAt }) => issuedAt.replace(/[TZ]/g, ' ').trim())
  )
  t.strictSame(
    await column(page, 'Passed'),
    certificates.map(({ passed }) => (passed ? 'yes' : 'no'))
  )
})

visit('each kind of filter has a control, which the keyboard works', async (t, page) => {
  await open(page, '?list=certificates')
  await page.locator('summary:visible').focus()
  await page.keyboard.press('Space')
  /** Goes to a control with the Tab key alone, and works it. */
  const work = async (control: string, keys: string[]) => {
    for (let tries = 0; tries === 0 || (await focused(page)) !== control; tries++) {
      if (tries === 80) throw new Error(`The Tab key does not reach ${control}.`)
      await page.keyboard.press('Tab')
    }
    for (const key of keys) await page.keyboard.press(key)
    await settled(page)
  }
  await work('issued_from', [...'01012024'])
  await work('passed', ['y'])
  await work('state', ['Space', 'Tab', 'Tab', 'Space'])
  await work('score_from', [...'60.5'])
  await page.waitForURL(/score_from=60.5/)
  await settled(page)
  const query = 'issued_from=2024-01-01&passed=true&state=valid&state=revoked&score_from=60.5'
  t.equal(new URL(page.url()).search, `?list=certificates&${query}`)
  const { body } = await ask('Admin', `certificate/list?${query}&total=true`)
  t.ok(body.total > 0)
  t.equal(await totalOf(page), body.total)
  t.equal(await page.locator('summary:visible b').innerText(), '5')
})

visit('the head of a column sorts by it, upwards, downwards and no more', async (t, page) => {
  await open(page, '?list=payments')
  t.match(await page.getByRole('caption').innerText(), /newest first, by Created$/)
  t.equal(await page.locator('[aria-sort]').innerText(), 'Created')
  await open(page, '?list=certificates')
  const head = page.getByRole('columnheader', { name: 'Hours' })
  await head.getByRole('button').focus()
  for (const [sorted, first] of [
    ['ascending', '4'],
    ['descending', '40']
  ]) {
    await type(page, 'Enter')
    t.strictSame([await head.getAttribute('aria-sort'), (await column(page, 'Hours'))[0]], [sorted, first])
    await head.locator(':focus').waitFor()
  }
  await type(page, 'Enter')
  t.equal(await page.locator('[aria-sort]').innerText(), 'Issued (UTC)')
})

type Item = Record<string, unknown>
const utc = (time: unknown) => String(time ?? '').replace(/(\d)T(.*)Z/, '$1 $2')

/** What must stand in each column. */
const assessmentCells = {
  Id: ({ assessment_id }: Item) => assessment_id,
  Licence: ({ licence }: Item) => licence,
  Type: ({ assessment_type }: Item) => assessment_type,
  Name: ({ first_name, last_name }: Item) => `${first_name} ${last_name}`,
  Email: ({ email }: Item) => email,
  Practitioner: (item: Item) => `${item.practitioner_first_name} ${item.practitioner_last_name}`.trim(),
  Organizations: ({ org_names }: Item) => (org_names as string[]).join(', '),
  Status: ({ status }: Item) => status,
  'Assigned (UTC)': ({ date_assignment }: Item) => utc(date_assignment),
  'Concluded (UTC)': ({ date_conclusion }: Item) => utc(date_conclusion)
}
const paymentCells = {
  Id: ({ payment_id }: Item) => payment_id,
  Created: ({ created_at }: Item) => created_at,
  Email: ({ email }: Item) => email,
  Amount: ({ amount }: Item) => Number(amount).toFixed(2),
  Quantity: ({ quantity }: Item) => quantity,
  'Payment intent': ({ payment_intent }: Item) => payment_intent,
  Paid: ({ paid_at }: Item) => paid_at,
  Method: ({ payment_method }: Item) => payment_method,
  Status: ({ payment_status }: Item) => payment_status,
  'At the processor': ({ processor_status }: Item) => processor_status
}

const lists = [
  ['Assessments', 'assessment/list?search=AN', 'assessments', assessmentCells, ['Name', 'Email']],
  ['Payments', 'payment/list?search=AN', 'data', paymentCells, ['Payment intent', 'Email']]
] as const

for (const [list, path, items, cells, searched] of lists) {
  visit(
    `${list.toLowerCase()}: a search finds and shows what the list answers, with its matches marked`,
    async (t, page) => {
      await show(page, list)
      await search(page, 'AN')
      const { body } = await ask('Admin', path)
      t.equal(await totalOf(page), body.total)
      t.strictSame(await page.getByRole('columnheader').allInnerTexts(), Object.keys(cells))
      for (const [title, cell] of Object.entries(cells)) {
        const texts = (body[items] as Item[]).map((item) => String(cell(item) || '–'))
        t.strictSame(await column(page, title), texts, title)
      }

      const marks = await page.locator('tbody mark').allInnerTexts()
      t.strictSame([...new Set(marks.map((mark) => mark.toLowerCase()))], ['an'])
      const texts = await Promise.all(searched.map((title) => column(page, title)))
      const places = texts.flat().flatMap((text) => text.match(/an/gi) ?? [])
      t.equal(marks.length, places.length, 'each place, and only in the columns that are searched')
      t.equal(await page.locator('tbody tr:has(mark)').count(), 12)

      await search(page, '')
      t.equal(await page.locator('mark').count(), 0, 'nothing searched for, nothing marked')
      t.match((await column(page, 'Email'))[0], /@/)
    }
  )
}
