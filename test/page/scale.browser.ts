/** Records can be had as CSV, and inserted beside an open page. */
import { readFile } from 'node:fs/promises'
import { column, open, press, startDemo } from './demo.js'

const { visit, ask, address, callers } = await startDemo()

visit('the CSV has every record of the question, each once', async (t, page) => {
  await open(page, '?list=certificates&state=revoked&state=expired&role=Practitioner')
  await page.getByRole('button', { name: 'Download CSV' }).focus()
  const [download] = await Promise.all([page.waitForEvent('download'), page.keyboard.press('Enter')])
  t.equal(download.suggestedFilename(), 'certificates.csv')
  const [head, ...rows] = (await readFile(await download.path(), 'utf8')).trimEnd().split('\n')
  t.match(
    head,
    /^\uFEFFcertificate_id,email,title,level,score,issuedAt,state,hours,examiner_id,remark,clinic_id,passed,validUntil$/
  )
  const { body } = await ask('Practitioner', 'certificate/list?state=revoked&state=expired&total=true')
  t.ok(body.total > 12)
  t.equal(rows.length, body.total)
  t.equal(new Set(rows).size, body.total)
  t.notMatch(await page.content(), /eyJ/, 'the page keeps no token')
})

visit('a record that is inserted moves what an open page shows', async (t, page) => {
  await open(page, '?list=payments&page=2')
  const before = await column(page, 'Id')
  await press(page, 'Insert a record')
  await page.getByText(/is the newest now\. The marked record comes from the page before/).waitFor()
  const after = await column(page, 'Id')
  t.strictSame(after.slice(1), before.slice(0, -1), 'each record has moved on by one')
  t.strictSame(await page.locator('.came th').allInnerTexts(), [after[0]])
  await press(page, 'First')
  t.equal((await column(page, 'Created'))[0]?.slice(0, 10), new Date().toISOString().slice(0, 10))
})

visit('an export without a token of the demo is refused, and a formula is defused', async (t) => {
  const post = (fields: Record<string, string>) =>
    fetch(`${address}/demo/csv`, { method: 'POST', body: new URLSearchParams(fields) })
  t.equal((await post({ token: 'x', list: 'payments', query: '' })).status, 401)
  const token = String(callers[0]?.token)
  t.match(await (await post({ token, list: 'payments', query: 'search=an' })).text(), /^payment_id,/)
  t.equal((await post({ token, list: 'payments', query: 'sort=x' })).status, 400)
})
