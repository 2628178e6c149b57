/** The certificates: an endless table, counts beside the filters, a record's page, and a caller with two roles. */
import { choose, column, focused, open, outcome, press, settled, startDemo, totalOf, type, view } from './demo.js'

const { visit, ask, address, callers } = await startDemo()

visit('More and scrolling show each record once, whatever is inserted in between', async (t, page) => {
  await page.setViewportSize({ width: 1280, height: 500 })
  await open(page, '?list=certificates&role=Institutional&limit=25')
  t.equal(await outcome(page), '200 certificates, 25 shown')
  t.equal(await page.locator('.pages:visible').count(), 0)
  const [first] = await column(page, 'Id')
  // beside the page, which does not ask again
  const { userId } = callers.find(({ role }) => role === 'Institutional') ?? {}
  const inserted = await fetch(`${address}/demo/records`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ list: 'certificates', userId })
  })
  t.equal(inserted.status, 201)
  await page.getByRole('button', { name: 'More' }).focus()
  await type(page, 'Enter')
  t.equal(await outcome(page), '200 certificates, 50 shown')
  t.equal(await focused(page), 'more')
  while (!(await outcome(page)).endsWith(', 200 shown')) {
    await page.evaluate("document.getElementById('scroll').scrollTop = 1e6")
    await page.waitForTimeout(50)
    await settled(page)
  }
  const ids = await column(page, 'Id')
  t.equal(ids[0], first)
  t.equal(new Set(ids).size, 200)
  t.equal(await page.getByRole('button', { name: 'No more' }).getAttribute('aria-disabled'), 'true')
  await view(page, 'Under the hood')
  t.match(await page.locator('#asked').innerText(), /after=/, 'the last request')
})

visit('after More, the code and "Who sees what" ask for the first page', async (t, page) => {
  await open(page, '?list=certificates&role=Practitioner')
  await press(page, 'More')
  const total = await totalOf(page)
  t.match(await outcome(page), /, 24 shown$/)
  await view(page, 'Code')
  for (const language of ['curl', 'Typed client', 'Test']) {
    await page.getByRole('tab', { name: language, exact: true }).click()
    const code = await page.locator('#snippet').innerText()
    t.notMatch(code, /after[=:]/, language)
    t.match(code, /total(=|: )true/, language)
    if (language === 'Test') t.match(code, `json().total, ${total})`)
  }
  await view(page, 'Who sees what')
  const [newest] = ((await ask('Admin', 'certificate/list')).body.certificates ?? []) as { certificate_id: string }[]
  t.equal(await page.locator('#matrix tbody th b').first().innerText(), newest?.certificate_id)
  await view(page, 'Under the hood')
  t.match(await page.locator('#asked').innerText(), /after=/, 'what was asked last')
})

visit('a filter has the number of records beside each value, for the caller and the other filters', async (t, page) => {
  for (const question of ['?list=certificates&role=Practitioner', '?list=certificates&passed=false&search=aid']) {
    await open(page, question)
    const role = question.includes('Practitioner') ? 'Practitioner' : 'Admin'
    const query = question.includes('passed') ? 'passed=false&search=aid' : ''
    const box = page.locator('.filters:enabled')
    for (const level of ['basic', 'expert']) {
      const { body } = await ask(role, `certificate/list?${query}&level=${level}&total=true`)
      t.equal(await box.locator(`option[value="${level}"]`).textContent(), `${level} (${body.total})`)
    }
    for (const [value, word] of [
      ['true', 'yes'],
      ['false', 'no']
    ]) {
      const { body } = await ask(role, `certificate/list?${query}&has_exam=${value}&total=true`)
      const option = box.locator(`[name="has_exam"] option[value="${value}"]`)
      t.equal(await option.textContent(), `${word} (${body.total})`)
      await page.locator('summary:visible').click()
      t.ok((await option.boundingBox())?.height, 'it is in sight without opening the choices')
      await page.keyboard.press('Escape')
    }
    const { body } = await ask(role, `certificate/list?${query}&state=expired&total=true`)
    const label = box.locator('label', { has: page.locator('[value="expired"]') })
    t.equal((await label.textContent())?.trim(), `expired (${body.total})`)
  }
  await open(page, '?list=certificates&role=ordinary+user')
  t.equal(await page.locator('.filters:enabled option[value="basic"]').textContent(), 'basic ')
})

visit('a record has a page, which the address knows, and a 404 for who may not see it', async (t, page) => {
  await open(page, '?list=certificates')
  const [, id = ''] = await column(page, 'Id')
  await page.getByRole('button', { name: id, exact: true }).focus()
  await page.keyboard.press('Enter')
  const record = page.getByRole('region', { name: 'Record' })
  await record.getByText(`GET /certificate/${id} → 200 OK`).waitFor()
  t.match(new URL(page.url()).search, `record=${id}`)
  const { body } = await ask('Admin', `certificate/${id}`)
  const item = body.certificate as Record<string, unknown>
  t.strictSame(await record.locator('dt').allInnerTexts(), Object.keys(item))
  t.ok((await record.locator('dd').allInnerTexts()).includes(String(item.email)))
  await choose(page, 'Caller', { label: "Individual: Zoë O'Brien" })
  await record.getByText('404 Not Found').waitFor()
  t.match(await record.innerText(), /or the caller may not see it[\s\S]*There is no such certificate/)
  await page.reload()
  await settled(page)
  t.match(await record.innerText(), /404 Not Found/)
  await choose(page, 'Caller', 'Admin')
  await press(page, 'Close')
  t.notOk(await record.isVisible())
  t.equal(await page.locator(':focus').innerText(), id)
  await page.goBack()
  await settled(page)
  t.ok(await record.isVisible())
})

visit('with two roles, a field follows the way to the record', async (t, page) => {
  await open(page, '?list=certificates&role=Practitioner+and+Individual')
  const [emails, remarks] = [await column(page, 'Email'), await column(page, 'Remark')]
  const own = emails.map((email) => email.startsWith('sanne.sanchez@'))
  t.strictSame(
    remarks.map((remark) => remark === 'not for the role that reaches this record'),
    own
  )
  t.ok(own.includes(true) && own.includes(false))
  const ids = await column(page, 'Id')
  const record = page.getByRole('region', { name: 'Record' })
  for (const isOwn of [true, false]) {
    await page.getByRole('button', { name: String(ids[own.indexOf(isOwn)]), exact: true }).click()
    await record.getByText('200 OK').waitFor()
    await settled(page)
    t.equal((await record.innerText()).includes('not for the role that reaches this record'), isOwn)
  }
  await view(page, 'Code')
  await page.getByRole('tab', { name: 'listings.find' }).click()
  t.match(await page.locator('#snippet').innerText(), /role: \['Practitioner', 'Individual'\]/)
})
