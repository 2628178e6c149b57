/** The table shows the items of the list's own answer, and marks what was searched for. */
import { column, search, show, startDemo, totalOf } from './demo.js'

const { ask, visit } = await startDemo()

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
