/**
 * Sends the same requests as every demo caller to two demo servers, one on SQLite and one on the database of a URL, and
 * compares the answers byte for byte.
 */
import { startExample } from './example.mjs'

/** Search terms that match alike in all collations: no name has a letter of them with a diacritic. */
const terms = " b kk Ben QUINN ' - _ % ! .com @example.org 美咲 김 Дарья nobody".split(' ')
const searches = terms.map((term) => `search=${encodeURIComponent(term)}`)
const questions = [
  '/assessment/list',
  ...searches.map((search) => `/assessment/list?${search}&limit=50`),
  ...['completed', 'pending', 'reserved'].map((status) => `/assessment/list?search=&status=${status}&page=3`),
  '/assessment/list?search=b&page=9999',
  ...searches.map((search) => `/payment/list?${search}&limit=50`),
  ...['succeeded', 'complete', 'pending', 'failed', 'canceled', 'none'].map(
    (status) => `/payment/list?processor_status=${status}`
  ),
  '/payment/list?page=30&limit=100',
  '/payment/list?limit=101'
]

/**
 * @param {string} url
 * @returns {Promise<{ compared: number, different: string[] }>}
 */
export async function compare(url) {
  const servers = await Promise.all([startExample({}), startExample({ DATABASE_URL: url })])
  try {
    const [answers = [], others = []] = await Promise.all(servers.map(({ address }) => answersOf(address)))
    const different = answers.filter((answer, index) => answer !== others[index])
    return { compared: Math.min(answers.length, others.length), different }
  } finally {
    await Promise.all(servers.map(({ stop }) => stop()))
  }
}

/** @param {string} address */
async function answersOf(address) {
  const response = await fetch(`${address}/demo/callers`)
  const answers = []
  for (const { role, token } of /** @type {{ role: string, token: string }[]} */ (await response.json())) {
    for (const question of questions) {
      const answer = await fetch(address + question, { headers: { authorization: `Bearer ${token}` } })
      answers.push(`${role}: ${question}\n  ${answer.status} ${await answer.text()}`)
    }
  }
  return answers
}
