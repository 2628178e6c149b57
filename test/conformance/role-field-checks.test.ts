/** The checks know in which records a field for roles stands, because items show what decides it. */
import t from 'tap'
import { column, defineList, type List } from '../../src/index.js'
import { callerOf, cases, checksOf, everyone, openCases, problemsWith } from '../support/oracle/cases.js'
import { areAll, type Expected, execute } from '../support/oracle/check.js'
import { onDatabases } from '../support/servers/databases.js'

const { definition } = cases
const changed = (changes: object): List => defineList({ ...definition, ...changes } as never)
const withFields = (fields: object) => changed({ fields: { ...definition.fields, ...fields } })
const title = 'a field for roles stands where they reach the record'

onDatabases(t, 'a right server has no problem, whatever roles its callers have,', async (t, name) => {
  t.strictSame(await problemsWith(t, await openCases(t, name)), [])
})

t.test('a term that the list changes is not searched', async (t) => {
  const search = { columns: ['notes'], term: (term: string) => term.slice(1), examples: ['late'] }
  t.strictSame(await problemsWith(t, await openCases(t, 'sqlite'), { list: changed({ search }) }), [])
})

t.test('a role that does not see the list gets no field of it', async (t) => {
  const callers = [{ ...callerOf('Al', ['Counsellor']), role: 'Guest' }]
  const problems = await problemsWith(t, await openCases(t, 'sqlite'), { callers })
  t.match(problems.join(), / as Al: record \d+ shows notes, but no role that gets the field reaches the record\./)
})

t.test('an empty text is found as none', async (t) => {
  const db = await openCases(t, 'sqlite')
  await execute(db, "update cases set notes = ''")
  t.strictSame(await problemsWith(t, db), [])
})

t.test('a field in a record of another role is found, and one that is missing', async (t) => {
  const db = await openCases(t, 'sqlite')
  const tells = async (wrong: Parameters<typeof problemsWith>[3], expected: Expected, callers: object[] = everyone) => {
    const problems = await problemsWith(t, db, { callers }, wrong)
    areAll(
      t,
      problems.filter((problem) => problem.startsWith(title)),
      expected
    )
  }
  const served = withFields({
    notes: column.text({ roles: ['Admin', 'Counsellor', 'Head', 'Parent'], examples: ['x'] })
  })
  const shows = 'shows notes, but no role that gets the field reaches the record\\.$'
  await tells({ served }, [new RegExp(` as Al: record \\d+ ${shows}`)])
  await tells({ served }, [new RegExp(` as Cy: record \\d+ ${shows}`)], everyone.slice(2))
  const lacks = / as Cy: record \d+ lacks minutes, although a role that gets the field reaches the record\.$/
  await tells({ answer: (items) => items.map(({ minutes, ...item }) => item) }, [lacks])
})

t.test('a filter that finds a record whose item does not show its field is found', async (t) => {
  const db = await openCases(t, 'sqlite')
  const without = (name: string) =>
    problemsWith(t, db, {}, { ask: (url) => url.replace(new RegExp(`&${name}=[^&]*`), '') })
  for (const [name, field] of Object.entries({
    notes: 'notes',
    has_notes: 'notes',
    minutes_from: 'minutes',
    minutes_to: 'minutes',
    called_at_from: 'called_at',
    called_at_to: 'called_at'
  })) {
    const found = `record \\d+ does not show ${field}, but the parameter ${name} finds it\\.`
    areAll(t, await without(name), [new RegExp(`^${title}: GET .*&${name}=.* as Cy: ${found}$`)])
  }
  t.strictSame(await without('state'), [], 'every item shows the state')
})

t.test('a record that no role finds alone by the values that it shows is found by all roles together', async (t) => {
  const db = await openCases(t, 'sqlite')
  const none = { total: 0, cases: [] }
  // As if one role had to show the notes and the state.
  const page = (page: object, url: string) =>
    /&state=.*&notes=|&notes=.*&state=/.test(url) ? { ...page, ...none } : page
  const names = 'state and notes and has_notes and minutes_from and minutes_to and search'
  const found = `record \\d+ shows the values of ${names}, but is not found by them\\.`
  areAll(t, await problemsWith(t, db, { callers: everyone.slice(2, 3) }, { page }), [
    new RegExp(`^${title}: GET .* as Cy: ${found}$`)
  ])
  // As if one role had to show the minutes and the searched notes.
  const searched = (page: object, url: string) =>
    /search=[^&]+/.test(url) && url.includes('minutes_from') ? { ...page, ...none } : page
  t.match(
    (await problemsWith(t, db, { callers: everyone.slice(2, 3) }, { page: searched })).join(),
    /is not found by them/
  )
  const many = (page: object, url: string) => (url.includes('&notes=') ? { ...page, cases: [], total: 13 } : page)
  const all = await problemsWith(t, db, { callers: everyone.slice(2, 3) }, { page: many })
  t.notMatch(all.join(), 'is not found by them', 'it may stand on another page')
})

t.test('a record that does not show the value of the order comes last', async (t) => {
  const db = await openCases(t, 'sqlite')
  for (const sort of ['minutes', '-minutes', 'called_at']) {
    const page = (page: object, url: string) => {
      const { cases } = page as { cases: object[] }
      return url.includes(`sort=${sort}&`) ? { ...page, cases: cases.toReversed() } : page
    }
    const problems = await problemsWith(t, db, { callers: everyone.slice(2, 3) }, { page })
    const column = sort.replace('-', '')
    t.match(problems.join(), new RegExp(`record \\d+ of .* comes after \\d+, which has no ${column}\\.`), sort)
  }
})

t.test('the check is skipped where nothing tells, and says why', async (t) => {
  const db = await openCases(t, 'sqlite')
  const list = withFields({ severe: column.boolean({ roles: ['Admin'], examples: [true] }) })
  const [{ role: _role, ...unsaid }] = everyone as [(typeof everyone)[number]]
  for (const facts of [
    { list: changed({ search: undefined }), callers: [unsaid] },
    { callers: [callerOf('Al', ['Admin'])] },
    { list, callers: [callerOf('Di', ['Head'])] }
  ]) {
    const reasons: string[] = []
    const check = (await checksOf(t, db, facts)).find(({ name }) => name.endsWith(title))
    await check?.run({ skip: (reason: string) => reasons.push(reason) })
    const why = "No caller has a 'role' that gets such a field, or no field shows the columns of its reach."
    t.strictSame(reasons, [why])
  }
})

t.test('a filter is tried only with a value that a parameter can have', async (t) => {
  const db = await openCases(t, 'sqlite')
  const urls: string[] = []
  const ask = (url: string) => {
    urls.push(url)
    return url
  }
  const isTried = (name: string) => urls.some((url) => url.includes(`&${name}=`))
  t.strictSame(await problemsWith(t, db, {}, { ask }), [])
  t.ok(['notes', 'has_notes', 'minutes_from', 'called_at_to'].every(isTried))
  // All collations compare printable ASCII alike.
  await execute(db, "update cases set notes = 'é', called_at = null")
  urls.length = 0
  t.strictSame(await problemsWith(t, db, {}, { ask }), [])
  t.ok(['has_notes', 'minutes_from'].every(isTried))
  t.notOk(['notes', 'called_at_from', 'called_at_to'].some(isTried))
})
