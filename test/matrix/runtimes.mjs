/**
 * Runs the smoke test of the lists with every supported Node, Fastify and Kysely, oldest and newest, from
 * the packed tarball: `node test/matrix/runtimes.mjs`. Every answer must have the same bytes as with the
 * newest packages on Node 20. On SQLite, and on the server of TEST_MYSQL_URL when there is one.
 */
import { join } from 'node:path'
import { findNodes } from './nodes.mjs'
import { nameOf, questions } from './questions.mjs'
import { difference, failure, reporter } from './report.mjs'
import { installed, prepare } from './smoke-folder.mjs'
import { run, tarball, temporaryFolder } from './tarball.mjs'

const newest = { fastify: '^5.12.8', kysely: '0.29.9', '@fastify/jwt': '^10.2.8', mysql2: '^3.24.5' }
/** What is put in the place of the newest packages; the last one is the oldest that the README allows. */
const sets = [
  {},
  { kysely: '0.28.18' },
  { fastify: '5.8.3' },
  { fastify: '5.8.3', kysely: '0.28.18' },
  { fastify: '5.8.3', kysely: '0.28.17', '@fastify/jwt': '10.2.0', mysql2: '3.23.1' }
]
  // at the size `short` the newest packages and the oldest
  .filter((_older, index, all) => process.env.MATRIX !== 'short' || [0, all.length - 1].includes(index))
  .map((older) => ({ ...newest, ...older }))

const report = reporter('runtimes')
const folder = temporaryFolder()
const file = await tarball(folder)
const nodes = await findNodes(folder)
/** @type {string[] | undefined} */
let golden

for (const [index, set] of sets.entries()) {
  const place = join(folder, String(index))
  const refused = await failure(() => prepare(place, file, set))
  const versions = refused ? set : installed(place, Object.keys(set))
  const packages = Object.entries(versions).map(([name, version]) => `${name} ${version}`)
  for (const node of nodes) {
    const name = `Node ${node.version}, ${packages.join(', ')}`
    if (refused) report(name, 0, [], refused)
    else await smoke(name, node.path, place)
  }
}

/**
 * @param {string} name
 * @param {string} node
 * @param {string} place
 */
async function smoke(name, node, place) {
  const { PATH, HOME, TEST_MYSQL_URL } = process.env
  let answers = /** @type {Record<string, string[]>} */ ({})
  const refused = await failure(async () => {
    const env = { PATH, HOME, ...(TEST_MYSQL_URL && { TEST_MYSQL_URL }) }
    answers = JSON.parse(await run(node, ['test/matrix/smoke.mjs'], { cwd: place, env }))
  })
  if (refused) return report(name, 0, [], refused)
  golden ??= answers.SQLite ?? []
  const expected = golden
  const databases = Object.entries(answers)
  const different = databases.flatMap(([database, found]) =>
    questions.flatMap((question, index) => {
      const problem = compare(question, String(found[index]), String(expected[index]))
      return problem ? [`${database}, ${nameOf(question)}: ${problem}`] : []
    })
  )
  report(name, questions.length * databases.length, different)
}

/**
 * @param {import('./questions.mjs').Question} question
 * @param {string} answer
 * @param {string} expected
 */
function compare({ status, total }, answer, expected) {
  // the golden answers themselves must not be nonsense
  const sane = answer.startsWith(`${status} `) && (total === undefined || answer.includes(`"total":${total},`))
  if (!sane) return `not ${status}${total === undefined ? '' : ` with the total ${total}`}: ${answer.slice(0, 300)}`
  return difference(answer, expected)
}
