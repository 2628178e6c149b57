/** Reads the query string of a URL, whatever parser the host has. */

/** `end` is also a `;` with `useSemicolonDelimiter`. Undefined if not percent-encoded UTF-8 (contract 7). */
export function pairsOf(url: string, end = /[?#]/): [name: string, text: string][] | undefined {
  const start = url.search(end)
  const query = start < 0 ? '' : url.slice(start + 1)
  // A request target has neither a `#` nor unencoded characters (RFC 9112, section 3.2).
  if (url[start] === '#' || /[^!-~]|#/.test(query)) return undefined
  // A `+` is a space (contract 7).
  const pairs = query.replaceAll('+', ' ').split('&').filter(Boolean)
  try {
    return pairs.map((pair) => {
      const end = `${pair}=`.indexOf('=')
      return [decodeURIComponent(pair.slice(0, end)), decodeURIComponent(pair.slice(end + 1))]
    })
  } catch {
    return undefined
  }
}
