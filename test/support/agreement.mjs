/**
 * Sends the same requests as every demo caller to two demo servers, one on SQLite and one on the database of a URL, and
 * compares the answers byte for byte.
 */
import { startExample } from './example.mjs'

/** Search terms that match alike in all collations: no name has a letter of them with a diacritic. */
const terms = [
  '',
  'b',
  'kk',
  'Ben',
  'QUINN',
  "'",
  '-',
  '_',
  '%',
  '!',
  '.com',
  '@example.org',
  '美咲',
  '김',
  'Дарья',
  'nobody'
]
const questions = [
  ...terms.map((term) => `/assessment/list?search=${encodeURIComponent(term)}&limit=50`),
  ...['completed', 'pending', 'reserved'].map((status) => `/assessment/list?search=&status=${status}&page=3`),
  '/assessment/list?search=b&page=9999',
  '/assessment/list',
  ...terms.map((term) => `/payment/list?search=${encodeURIComponent(term)}&limit=50`),
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
    const callers = await Promise.all(
      servers.map(async ({ address }) => {
        const response = await fetch(`${address}/demo/callers`)
        return /** @type {{ role: string, token: string }[]} */ (await response.json())
      })
    )
    let compared = 0
    const different = []
    for (const [index, { role }] of (callers[0] ?? []).entries()) {
      for (const question of questions) {
        const [one, other] = await Promise.all(
          servers.map(async ({ address }, server) => {
            const headers = { authorization: `Bearer ${callers[server]?.[index]?.token}` }
            const response = await fetch(address + question, { headers })
            return `${response.status} ${await response.text()}`
          })
        )
        compared++
        if (one !== other) different.push(`${role}: ${question}\n  ${one}\n  ${other}`)
      }
    }
    return { compared, different }
  } finally {
    await Promise.all(servers.map(({ stop }) => stop()))
  }
}
