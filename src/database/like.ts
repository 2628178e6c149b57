/** The `like` pattern of a literal search term (contract 73). */

/** `!` escapes. A backslash means different things, depending on MySQL's sql_mode. */
export const likePattern = (term: string): string => `%${term.replace(/[!%_]/g, '!$&')}%`
