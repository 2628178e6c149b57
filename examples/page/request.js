/** One request to a list: its address, and its answer with the time that it took. */

/** @typedef {{ path: string, token: string, parameters: [name: string, value: string][] }} Question */

/** The code is the HTTP status, or 0 where there is no answer. */
/** @typedef {{ code: number, status: string, text: string, milliseconds: number, headers: [string, string][] }} Answer */

/** @param {Question} question */
export function addressOf({ path, parameters }) {
  const query = parameters.length > 0 ? `?${new URLSearchParams(parameters)}` : ''
  return new URL(path + query, location.origin).href
}

/** A later question gives up the one before. @returns {(question?: Question) => Promise<Answer | undefined>} */
export function asker() {
  let asking = new AbortController()
  return async (question) => {
    asking.abort()
    asking = new AbortController()
    const { signal } = asking
    const answer = question && (await answerTo(question, signal))
    return signal.aborted ? undefined : answer
  }
}

/** @param {Question} question @param {AbortSignal} signal */
async function answerTo(question, signal) {
  const start = performance.now()
  try {
    const headers = { authorization: `Bearer ${question.token}` }
    const response = await fetch(addressOf(question), { headers, signal })
    const text = await response.text()
    const milliseconds = Math.round(performance.now() - start)
    const status = `${response.status} ${response.statusText}`
    return { code: response.status, status, text, milliseconds, headers: [...response.headers] }
  } catch (error) {
    return { code: 0, status: 'No answer', text: String(error), milliseconds: 0, headers: [] }
  }
}

/** @param {string} path of the demo itself @param {Record<string, string>} [query] */
export async function askDemo(path, query) {
  const response = await fetch(`demo/${path}${query ? `?${new URLSearchParams(query)}` : ''}`).catch(() => undefined)
  // a 400 says what to do
  return response?.ok || response?.status === 400 ? response.json() : undefined
}

let latest = 0
/** For a view: once another has been asked for, nothing comes. @type {typeof askDemo} */
export async function askView(path, query) {
  const asked = ++latest
  const answer = await askDemo(path, query)
  return asked === latest ? answer : new Promise(() => {})
}
