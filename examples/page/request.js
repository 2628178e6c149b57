/** One request to a list: its address, the same as a curl line, and its answer with the time that it took. */

/**
 * @typedef {object} Question
 * @property {string} path
 * @property {string} token
 * @property {Record<string, string>} parameters empty ones are left out, but for a list's `search`, which may be required
 */

/** @param {Question} question */
export function addressOf({ path, parameters }) {
  const address = new URL(path, location.href)
  for (const [name, value] of Object.entries(parameters)) {
    if (value || name === 'search') address.searchParams.set(name, value)
  }
  return address.href
}

/** Nothing in it ends the quotes: neither a token nor an encoded address has a `'`. @param {Question} question */
export const curlOf = (question) => `curl -H 'Authorization: Bearer ${question.token}' '${addressOf(question)}'`

/**
 * @param {Question} question
 * @param {AbortSignal} signal
 */
export async function answerTo(question, signal) {
  const start = performance.now()
  const headers = { authorization: `Bearer ${question.token}` }
  const response = await fetch(addressOf(question), { headers, signal })
  const text = await response.text()
  return {
    isOk: response.ok,
    status: `${response.status} ${response.statusText}`,
    text,
    milliseconds: Math.round(performance.now() - start)
  }
}
