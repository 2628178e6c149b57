/** Search terms as `like` patterns (contract 73). */

// MySQL's sql_mode changes the meaning of a backslash.
export const likePattern = (term: string): string => `%${term.replace(/[!%_]/g, '!$&')}%`
