/** One request to a list: its address, the same as a curl line, and its answer with the time that it took. */

/**
 * @typedef {object} Question
 * @property {string} path
 * @property {string} token
 * @property {Record<string, string>} parameters empty ones are left out, but for a list's `search`, which may be required
 */

/**
 * @typedef {object} Answer
 * @property {number} code the HTTP status, or 0 where there is no answer
 * @property {string} status
 * @property {string} text
 * @property {number} milliseconds
 */

/** @param {Question} question */
function addressOf({ path, parameters }) {
  const address = new URL(path, location.href)
  for (const [name, value] of Object.entries(parameters)) {
    if (value || name === 'search') address.searchParams.set(name, value)
  }
  return address.href
}

/** Nothing in it ends the quotes: neither a token nor an encoded address has a `'`. @param {Question} question */
export const curlOf = (question) => `curl -H 'Authorization: Bearer ${question.token}' '${addressOf(question)}'`

/** Asks one question at a time: a later one gives up the one before. */
export function asker() {
  let asking = new AbortController()
  return {
    giveUp: () => asking.abort(),
    /**
     * @param {Question} question
     * @returns {Promise<Answer | undefined>} undefined where the question was given up
     */
    async ask(question) {
      asking.abort()
      asking = new AbortController()
      const { signal } = asking
      const answer = await answerTo(question, signal).catch(noAnswer)
      return signal.aborted ? undefined : answer
    }
  }
}

/** @param {Question} question @param {AbortSignal} signal @returns {Promise<Answer>} */
async function answerTo(question, signal) {
  const start = performance.now()
  const headers = { authorization: `Bearer ${question.token}` }
  const response = await fetch(addressOf(question), { headers, signal })
  const text = await response.text()
  const milliseconds = Math.round(performance.now() - start)
  return { code: response.status, status: `${response.status} ${response.statusText}`, text, milliseconds }
}

/** @param {unknown} error @returns {Answer} */
const noAnswer = (error) => ({ code: 0, status: 'No answer', text: String(error), milliseconds: 0 })
