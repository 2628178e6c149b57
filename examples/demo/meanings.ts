/** What an answer that is an error means, and what to do, by its status. `0`: there is no answer. */
export const meanings: Record<string, string> = {
  0: 'The server cannot be reached. Look whether npm start still runs, and ask again.',
  400: 'The list refuses a parameter. The message says which one, and what is allowed. Change it, and ask again.',
  401: 'The list does not know who asks: the token is missing, wrong or expired. Load this page again: it then has new tokens.',
  403: 'The list knows the caller, but the role of the caller may not see these records. Choose another caller.',
  404: 'There is no such record, or the caller may not see it: the answer is the same. Choose another caller.',
  500: 'Something failed in the server. Look at the terminal of npm start.',
  503: 'The server cannot reach its database. Wait a moment, and ask again.',
  504: 'The server took longer than its deadline allows. Search for fewer records, or wait a moment and ask again.',
  other:
    'The list has no such answer: something before it may have sent it. Look at the terminal of npm start, and ask again.'
}
