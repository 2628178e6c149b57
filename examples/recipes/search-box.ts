import type { AssessmentPage } from 'fastify-assessment-payment-listing'

/** @returns a function for each input event. `show` gets the answer to the latest text only. */
export function searchBox(address: string, token: () => string, show: (page: AssessmentPage) => void) {
  let timer: ReturnType<typeof setTimeout> | undefined
  let running = new AbortController()

  return (text: string) => {
    clearTimeout(timer)
    running.abort()
    running = new AbortController()
    const { signal } = running
    timer = setTimeout(async () => {
      const url = `${address}/assessment/list?${new URLSearchParams({ search: text })}`
      try {
        const answer = await fetch(url, { headers: { authorization: `Bearer ${token()}` }, signal })
        if (answer.ok) show((await answer.json()) as AssessmentPage)
      } catch {
        // The next text has ended the request, or there is no network.
      }
    }, 300)
  }
}
