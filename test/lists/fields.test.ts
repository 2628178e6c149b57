import t from 'tap'
import { distinctTexts } from '../../src/lists/fields.js'

t.test('the texts of several rows are in code point order, each text once, without nulls', async (t) => {
  const cases: [rows: (string | null)[], texts: string[]][] = [
    [[null, null], []],
    [[...'ZA', null, 'Z'], [...'AZ']],
    [[...'aézAZ'], [...'AZazé']],
    [
      ['10', '9', '1'],
      ['1', '10', '9']
    ],
    // In UTF-16 order, the emoji would come before the fullwidth letter.
    [[...'😀Ａ\ue000'], [...'\ue000Ａ😀']]
  ]
  for (const [rows, texts] of cases) t.strictSame(distinctTexts(Object.freeze(rows)), texts, JSON.stringify(rows))
})
