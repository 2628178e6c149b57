import t from 'tap'
import { areRefused } from '../../support/fixtures/definition-code.js'

t.test('an example that does not fit is a mistake', async (t) => {
  areRefused(t, {
    "fields.coach: { column: 'coach_id' }": "field 'coach' needs 'examples', an array",
    "fields.points: { column: 'score', examples: ['87.5'] }": `the example "87.5" does not fit field 'points', whose schema is {"type":"number"}`,
    "fields.issued: { column: 'issued_at', examples: ['2024-03-01 09:30:00'] }": `the example "2024-03-01 09:30:00" does not fit field 'issued', whose schema is {"type":"string"} and the form ^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\dZ$`,
    "filters.level: { examples: ['master'] }": `the example "master" does not fit parameter 'level', whose schema is {"enum":["basic","expert"],"pattern":"^(basic|expert)$","type":"string"}`,
    'filters.level: { several: true }': "parameter 'level' needs 'examples', an array"
  })
})
