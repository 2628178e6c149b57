/** "Under the hood" has the statements of the answer, the time of each step, and the headers. */
import { open, settled, startDemo, type } from './demo.js'

const { visit, ask } = await startDemo()

visit('the statements with their parameters, the steps, the headers and the body', async (t, page) => {
  await open(page, '?role=Practitioner&search=an')
  await page.getByRole('tab', { name: 'Records' }).focus()
  for (const key of ['ArrowRight', 'ArrowRight']) await type(page, key)
  await settled(page)
  t.match(await page.locator('#asked').innerText(), /^GET \/assessment\/list\?search=an.* → 200 OK, \d+ ms$/)
  const statements = await page.locator('article').allInnerTexts()
  for (const step of ['page', 'total']) {
    const statement = statements.find((text) => text.startsWith(`${step} `)) ?? ''
    t.match(statement, /^\w+ \d+\.\d ms\n+select [\s\S]*\n *from "assessments" as r\n[\s\S]*"%an%"/, step)
  }
  t.match(await page.locator('#ran').innerText(), /^\d ran\.$/)
  const steps = await page.locator('#steps dt').allInnerTexts()
  t.ok(['page', 'total'].every((step) => steps.includes(step)))
  t.equal((await page.locator('#steps dd').allInnerTexts()).length, steps.length)
  t.ok((await page.locator('#headers').innerText()).includes('private, no-store'))
  const { body } = await ask('Practitioner', 'assessment/list?search=an')
  t.strictSame(JSON.parse(await page.locator('#json').innerText()), body)
})

visit('a request that is refused has run no statement', async (t, page) => {
  await open(page, '?role=ordinary+user&view=inside')
  t.match(await page.locator('#asked').innerText(), /→ 403 Forbidden/)
  t.match(await page.locator('#ran').innerText(), /^None ran/)
})
