/** The demo's OpenAPI document, as it is served: valid, and with nothing for a linter to say. */
import { readFileSync } from 'node:fs'
import { createConfig, lintFromString } from '@redocly/openapi-core'
import { Validator } from '@seriousme/openapi-schema-validator'
import t from 'tap'
import { startExample } from '../support/hosts/example.mjs'

const { address, stop } = await startExample({})
t.teardown(() => stop())
const source = await (await fetch(`${address}/docs/json`)).text()
const document = JSON.parse(source)

t.test('it is valid OpenAPI 3.1', async (t) => {
  const validator = new Validator()
  const { valid, errors } = await validator.validate(JSON.parse(source))
  t.ok(valid, `valid, or else: ${JSON.stringify(errors)}`)
  t.equal(validator.version, '3.1')
})

t.test("it passes redocly's recommended rules, and its examples fit their schemas", async (t) => {
  const config = await createConfig({
    extends: ['recommended'],
    rules: {
      'no-invalid-media-type-examples': 'error',
      'no-invalid-parameter-examples': 'error',
      'no-invalid-schema-examples': 'error',
      'operation-tag-defined': 'error'
    }
  })
  const lint = async (source: string) => {
    const problems = await lintFromString({ source, config })
    return problems.map(({ ruleId, message, location }) => `${ruleId}: ${message} ${location[0]?.pointer}`)
  }
  t.strictSame(await lint(source), [])
  t.match(await lint(source.replace('"status":401', '"status":"no"')), [/^no-invalid-media-type-examples: /])
})

t.test('it has the lists and no route of the demo, and its schemas have names, which a client sees', async (t) => {
  t.equal(document.info.version, JSON.parse(readFileSync('package.json', 'utf8')).version)
  t.strictSame(Object.keys(document.paths), [
    '/assessment/list',
    '/payment/list',
    '/certificate/list',
    '/certificate/{certificate_id}'
  ])
  const lists = ['Assessment', 'Certificate', 'Payment'].flatMap((name) => [`${name}Item`, `${name}Page`])
  const names = [...lists, 'CertificateRecord', 'ListErrorBody'].toSorted()
  t.strictSame(Object.keys(document.components.schemas).toSorted(), names)
  const references = new Set(source.match(/(?<="\$ref":"#\/components\/schemas\/)\w+/g))
  t.strictSame([...references].toSorted(), names)
})
