/** A log at the level trace that is searched for secrets. */
import { tell } from './sizes.js'

/** A token, a search term, an email of the small world, or SQL. */
const secret = /eyJ[\w-]{10}|[?&]search=(?!\*)|@example\.|\bselect\b.*\bfrom\b/is

/** The number of lines, and the lines that contain a secret. */
export const watched = { lines: 0, leaks: [] as string[] }

export const watchedLogger = {
  level: 'trace',
  stream: {
    write(line: string) {
      watched.lines++
      if (secret.test(line)) watched.leaks.push(line)
    }
  }
}

/** Reports the number of log lines and of lines that contain a secret. */
export function tellOfLog(of: string, { lines, leaks } = watched): void {
  const what = `log lines of ${of} that hold a token, a search term, an email or SQL`
  tell({ what, tried: lines, broken: leaks.length })
}
