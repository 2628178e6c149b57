import t from 'tap'
import { column } from '../../src/lists/column.js'
import { reads, refuses } from '../support/oracle/cells.js'

t.test('a decimal number is read as the nearest double', async (t) => {
  reads(t, column.decimal(), { '129.50': 129.5, 0: 0, '-3': -3, '10.': 10 })
  reads(t, column.decimal({ whenNull: 'null' }), { 1.5: 1.5, '1e3': 1000, '1.5E-3': 0.0015, '1.0e+20': 1e20 })
  const problem = 'is not a decimal number'
  refuses(t, column.decimal(), problem, '', ' ', ' 1', '1,5', '1.2.3', '+1', '.5', '-', 'NaN', 'Infinity', '0x10')
  refuses(t, column.decimal(), problem, '1e999', '1_000', '12abc', '１')
})

t.test('a whole number is read if a double holds it exactly', async (t) => {
  reads(t, column.integer(), { 2: 2, '-2': -2, '2.00': 2, '2.': 2, '9007199254740991': Number.MAX_SAFE_INTEGER })
  const problem = 'is not a safe integer'
  refuses(t, column.integer(), problem, '', ' ', '1.5', '1e3', '9007199254740992', '-9007199254740992', '0x10', '2\n')
  refuses(t, column.integer(), problem, '2.00000000000000000001')
})

t.test('a boolean is read from each form in which a database writes it', async (t) => {
  reads(t, column.boolean(), { 1: true, true: true, t: true, '\u0001': true })
  reads(t, column.boolean(), { 0: false, false: false, f: false, '\0': false })
  refuses(t, column.boolean(), 'is not 0, 1, true or false', '', '2', 'TRUE', 'yes', ' 1', 'constructor')
})
