import { RawNode, sql } from 'kysely'
import t from 'tap'
import { bindSlots, formOf, type Parameter, parameterOf, Slot, slotFor } from '../../src/database/parameter.js'
import { withoutDatabase } from '../support/servers/session.js'

const db = withoutDatabase('mysql')
const toBytes = (text: string) => Buffer.from(text)

/** A statement with the parameter in every form. */
const statementWith = (parameter: Parameter) =>
  sql`select ${parameter.bind()}, ${parameter.bind(Number)}, ${parameter.bind(toBytes)}, ${'constant'}`.compile(db)

t.test('the driver gets the text of a parameter, or what the SQL makes of the text', async (t) => {
  const { sql: text, parameters } = statementWith(parameterOf('12'))
  t.equal(text, 'select ?, ?, ?, ?')
  t.strictSame(parameters, ['12', 12, Buffer.from('12'), 'constant'])
})

t.test('a slot takes the place of a text until the text is bound', async (t) => {
  const compiled = statementWith(slotFor('term', formOf('12')))
  t.equal(compiled.sql, 'select ?, ?, ?, ?')
  const [slot, , , constant] = compiled.parameters
  t.ok(slot instanceof Slot)
  t.equal(constant, 'constant')
  const first = bindSlots(compiled, { term: '7', caller: '1' })
  const second = bindSlots(compiled, { term: '8', caller: '1' })
  t.strictSame(first.parameters, ['7', 7, Buffer.from('7'), 'constant'])
  t.strictSame(second.parameters, ['8', 8, Buffer.from('8'), 'constant'])
  t.strictSame(compiled.parameters[0], slot, 'the statement keeps its slots')
  t.strictSame(first.query, RawNode.createWithSql(compiled.sql))
  t.not(first.queryId, second.queryId, 'each run has an id of its own')
})

t.test('SQL sees the form of a text and not the text', async (t) => {
  const uuid = '0197e7a0-3c5e-7000-8000-00000000abcd'
  for (const [text, isNumber, isSafe] of [
    ['0', true, true],
    ['12', true, true],
    ['999999999999999', true, true],
    ['9999999999999999', true, true],
    ['007', true, true],
    ['-1', true, true],
    ['1.5', true, true],
    ['1e3', true, true],
    ['0x1F', true, true],
    [' 12 ', true, true],
    ['', true, true],
    ['12\n', true, false],
    ['१२', false, false],
    ['Infinity', true, true],
    ['NaN', false, true],
    ['ann.lee+1@example.org', false, true],
    ['50%_!', false, true],
    ["o'b", false, false],
    ['a\\b', false, false],
    ['a"b', false, false],
    ['a`b', false, false],
    ['a\nb', false, false],
    ['é', false, false],
    ['漢', false, false],
    [uuid, false, true],
    [uuid.toUpperCase(), false, true],
    [uuid.slice(1), false, true],
    ['9'.repeat(21), true, true]
  ] as const) {
    const isWhole = /^(0|12|999999999999999)$/.test(text)
    const isExactId = isWhole || ['9999999999999999', '007', '-1', uuid].includes(text)
    const form = { isNumber, isDouble: text === '1e3', isSafe, isWhole, isExactId, isTrue: false }
    t.strictSame(parameterOf(text).form, form, JSON.stringify(text))
    t.strictSame(slotFor('term', formOf(text)).form, form)
    t.strictSame(Object.keys(parameterOf(text)), ['form', 'bind'])
  }
})
