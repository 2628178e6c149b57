/** The numbers that one may tune, from measurements with a million records on MariaDB and MySQL. */

export interface Thresholds {
  /** Maximum number of ids in a statement, for each side of the search. */
  readonly maxInlinedIds: number
  /** Maximum bytes of these ids together. Those of both sides fit into a `max_allowed_packet` of 1 MiB. */
  readonly maxInlinedLength: number
  /** Minimum number of matches for the plan `newest` on a later page. */
  readonly minMatches: number
  /** Minimum number of matches for the plan `newest` on a later page, per row up to the end of the page. */
  readonly minMatchesPerRow: number
  /** Milliseconds for the plan `newest`. All matches may be old. */
  readonly scanTime: number
}

export const measured: Thresholds = {
  maxInlinedIds: 5000,
  maxInlinedLength: 100_000,
  minMatches: 5000,
  minMatchesPerRow: 50,
  scanTime: 100
}

/** Records in a batch of `each`. Larger batches are hardly faster, and need more memory. */
export const batchSize = 1000

/** Estimated bytes of the statements that a registration keeps. */
export const maxStatementBytes = 4_000_000

/** The look at the columns expires, because tables can change while the server runs. */
export const looks = {
  /** Milliseconds. */
  ttl: 60_000,
  /** Shapes of tables. */
  max: 500
}
