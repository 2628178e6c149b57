import { keepPreviousData } from '@tanstack/query-core' // @tanstack/react-query and vue-query export it, too.

type Query = Record<string, string | number | boolean | readonly string[] | undefined>

/** A page with a number, or one that follows a record. */
type Page = { page: number; limit: number; total: number } | { limit: number; next: string | null; total?: number }

export class ListError extends Error {
  constructor(
    readonly status: number,
    message: string
  ) {
    super(message)
  }
}

/** @param token gives the token of the caller */
export function queriesOf(api: string, token: () => string) {
  async function ask<Of extends Page>(path: string, query: Query, signal: AbortSignal): Promise<Of> {
    const parameters = new URLSearchParams()
    for (const [name, value] of Object.entries(query)) {
      // Several values repeat the parameter: state=booked&state=moved.
      for (const each of [value ?? []].flat()) parameters.append(name, String(each))
    }
    const answer = await fetch(`${api}${path}?${parameters}`, {
      headers: { authorization: `Bearer ${token()}` },
      signal
    })
    if (answer.ok) return (await answer.json()) as Of
    // A proxy can answer without JSON.
    const { error = answer.statusText } = (await answer.json().catch(() => ({}))) as { error?: string }
    throw new ListError(answer.status, error)
  }

  // A 503 asks the client to wait for a second. Any other error would come again.
  const retrying = {
    retry: (count: number, error: Error) => count < 3 && error instanceof ListError && error.status === 503,
    retryDelay: 1_000
  }

  return {
    /** A table: `useQuery(page('/payment/list', { page: 2, processor_status }))`. */
    page: <Of extends Page>(path: string, query: Query) => ({
      queryKey: [path, query],
      queryFn: ({ signal }: { signal: AbortSignal }) => ask<Of>(path, query, signal),
      placeholderData: keepPreviousData,
      ...retrying
    }),
    /** Infinite scroll, by the number of the page or after its last record: `useInfiniteQuery(scroll('/payment/list', {}))`. */
    scroll: <Of extends Page>(path: string, query: Query) => ({
      queryKey: [path, 'scroll', query],
      queryFn: ({ signal, pageParam }: { signal: AbortSignal; pageParam: Query }) =>
        ask<Of>(path, { ...query, ...pageParam }, signal),
      initialPageParam: {} as Query,
      getNextPageParam(last: Page): Query | undefined {
        if ('next' in last) return last.next === null ? undefined : { after: last.next }
        const { page, limit, total } = last
        return page * limit < total ? { page: page + 1 } : undefined
      },
      ...retrying
    }),
    /** A badge: `useQuery(count('/assessment/list', { search: '', status: 'pending' }))`; after a record, with `total: true`. */
    count: (path: string, query: Query) => ({
      queryKey: [path, 'count', query],
      queryFn: async ({ signal }: { signal: AbortSignal }) => (await ask(path, { ...query, limit: 1 }, signal)).total,
      ...retrying
    })
  }
}
