/** What the grants of a caller give to a question: records, and the fields that stand in some of them. */

import { type Grant, type Grants, isEverything, uncovered } from '../../lists/grants.js'
import type { List, Path } from '../../lists/list.js'
import { hiddenColumns } from '../../lists/view.js'
import type { CountedFilter, Partly, Question } from './question.js'

type Asked = Pick<Question, 'term' | 'filters'>

/**
 * A grant gives what it would give alone, so it finds no record by a column that it hides: a filter by the column leaves it
 * nothing, and a search does not read the column. What an item shows does not depend on the question.
 *
 * @param list the view of the caller
 */
export const granted = (list: List, grants: Grants, asked: Asked): Pick<Question, 'reach' | 'partly'> =>
  grants.some(({ hides }) => hides)
    ? { reach: findingGrants(list, grants, asked), partly: partlyShown(list, grants) }
    : { reach: grants }

/** A count is the total of a request with the filter, so the grants that hide its column count nothing. */
export const countedFilters = (list: List, grants: Grants, asked: Asked, names: readonly string[]): CountedFilter[] =>
  names.map((filter) => {
    const filters = { ...asked.filters, [filter]: [] }
    return { filter, reach: granted(list, grants, { ...asked, filters }).reach }
  })

function findingGrants(list: List, grants: Grants, { term, filters }: Asked): Grants {
  const compared = Object.keys(filters).map((name) => `r.${list.filters[name]?.column}`)
  const searched: readonly Path[] = term === undefined ? [] : [...list.search.records, ...list.search.users]
  const finding = grants.flatMap(({ hides = [], ...records }): Grant[] => {
    const hidden = hiddenColumns(list, hides)
    const unsearched = searched.filter((path) => hidden.includes(path))
    const isBlind = unsearched.length > 0 && unsearched.length === searched.length
    if (isBlind || compared.some((path) => hidden.includes(path))) return []
    return [unsearched.length > 0 ? { ...records, unsearched } : records]
  })
  return uncovered(finding)
}

/** The fields that the view shows, but not each grant. Those of the same grants stand together. */
function partlyShown({ fields }: List, grants: Grants): Partly[] {
  const groups = new Map<string, Partly>()
  for (const name of Object.keys(fields).filter((name) => fields[name]?.roles)) {
    const showing = grants.flatMap(({ hides = [], ...records }) => (hides.includes(name) ? [] : records))
    const by = uncovered(showing)
    if (isEverything(by)) continue
    const key = JSON.stringify(by)
    groups.set(key, { grants: by, fields: [...(groups.get(key)?.fields ?? []), name] })
  }
  return [...groups.values()]
}
