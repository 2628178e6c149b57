/** The limits, and other numbers to tune: for searches, measured with a million records on MariaDB and MySQL. */

/** The records of a page without `limit`, and the greatest `limit`. */
export const defaultLimits = { defaultLimit: 12, maxLimit: 100 }
export type Limits = Readonly<typeof defaultLimits>

/** Characters of a parameter (contract 23). */
export const maxTextLength = 256

/** Characters of the position of a record, which is in a URL. */
export const maxPositionLength = 1024

/** Values of a parameter that can be given several times. */
export const maxValues = 50

export const measured = {
  /** Maximum number of ids in a statement, for each side of the search. */
  maxInlinedIds: 5000,
  /** Maximum bytes of these ids together. Those of both sides fit into a `max_allowed_packet` of 1 MiB. */
  maxInlinedLength: 100_000,
  /** Minimum number of matches for the plan `scan` on a later page. */
  minMatches: 5000,
  /** Minimum number of matches for the plan `scan` on a later page, per row up to the end of the page. */
  minMatchesPerRow: 50,
  /** Milliseconds for the plan `scan`. All matches may be old. */
  scanTime: 100
}
export type Thresholds = Readonly<typeof measured>

/** Records in a batch of `each`. Larger batches are hardly faster, and need more memory. */
export const batchSize = 1000

/** Estimated bytes of the statements that a registration keeps. */
export const maxStatementBytes = 4_000_000

/** Estimated bytes of such a statement without its texts. */
export const statementOverhead = { entry: 500, parameter: 100 }

/** Milliseconds in which a statement whose request has ended can end by itself, and keep its connection. */
export const stopGrace = 250

/** Milliseconds in which requests have transactions, after a session had other settings than a direct statement's. */
export const directPause = 60_000

/** A host's `term` can make a term longer, such as `ß` to `ss`. */
export const maxTermLength = 1024

/** `max_sort_length` of MySQL and MariaDB: the default of the servers. A session can have less. */
export const sortLength = 1024

/** Milliseconds until the next look at the columns, because tables can change while the server runs. */
export const lookTtl = 60_000

/** The part of a request's time that a later look may take. Then what was known before serves. */
export const lookPatience = 0.1
