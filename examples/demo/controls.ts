/** The controls of the page, made of the lists and the callers, as HTML. A name may be anything, so each text is escaped. */
import type { PageFilter, PageList } from './lists.js'
import type { DemoCaller } from './page.js'

const signs: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }
const escaped = (text: string) => text.replace(/[&<>"']/g, (sign) => signs[sign] ?? '')
const yesNo = (value: string) => ({ true: 'yes', false: 'no' })[value] ?? value

const pageButton = (value: string, sign: string) => {
  const name = value.charAt(0).toUpperCase() + value.slice(1)
  return `<button type="button" value="${value}" aria-label="${name}" title="${name} page">${sign}</button>`
}
const pager = `${pageButton('first', '«')}${pageButton('previous', '‹')}<label>Page <input inputmode="numeric" size="4"><span></span></label>${pageButton('next', '›')}${pageButton('last', '»')}`

/** Puts the controls in their places. */
export function withControls(html: string, lists: PageList[], callers: DemoCaller[]): string {
  const parts: Record<string, string> = {
    lists: lists
      .map(({ name, title, searched }, index) => {
        const checked = index === 0 ? ' checked' : ''
        return `<label><input type="radio" name="list" value="${name}" data-searched="${searched}"${checked}><span>${title}</span></label>`
      })
      .join(''),
    callers: callers
      .map(({ name, role }) => `<option value="${role}">${escaped(`${role}: ${name}`)}</option>`)
      .join(''),
    pager,
    filters: lists.map(filtersOf).join('')
  }
  return html.replace(/<!--(\w+)-->/g, (_, name: string) => parts[name] ?? '')
}

/** Puts the first filter with a choice next to the search, and all others into a box that opens. */
function filtersOf({ name, filters, counted }: PageList): string {
  const first = filters.find(({ kind }) => kind === 'choice')
  const groups = new Map<string, PageFilter[]>()
  for (const filter of filters) {
    if (filter === first) continue
    const group = filter.name.replace(/_(from|to)$/, '')
    groups.set(group, [...(groups.get(group) ?? []), filter])
  }
  const others = [...groups.values()].map((group) => groupOf(group, counted)).join('')
  const box = others && `<details><summary>Filters <b></b></summary><div>${others}</div></details>`
  return `<fieldset class="filters" data-list="${name}" disabled hidden>${first ? control(first) : ''}${box}</fieldset>`
}

/** One filter, or both ends of a range. The choices of one that is counted stay open, so their counts are seen. */
function groupOf(filters: PageFilter[], counted: string[]): string {
  const [{ name, title, kind, values }] = filters as [PageFilter]
  if (filters.length === 1 && kind !== 'several') return control(filters[0] as PageFilter, counted.includes(name))
  const parts =
    kind === 'several'
      ? values.map(
          (value) => `<label><input type="checkbox" name="${name}" value="${value}"> ${value} <span></span></label>`
        )
      : filters.map((end) => control({ ...end, title: end.name.endsWith('_to') ? 'to' : 'from' }))
  return `<fieldset><legend>${title.replace(/ (from|to)$/, '')}</legend>${parts.join('')}</fieldset>`
}

function control({ name, title, kind, values }: PageFilter, isOpen = false): string {
  const options = values.map((value) => `<option value="${value}">${yesNo(value)}</option>`).join('')
  const type = kind === 'number' ? 'type="number" step="any"' : `type="${kind === 'date' ? 'date' : 'text'}"`
  const input =
    kind === 'choice'
      ? `<select name="${name}"${isOpen ? ` size="${values.length + 1}"` : ''}><option value="">any</option>${options}</select>`
      : `<input name="${name}" ${type}>`
  return `<label><span>${title}</span> ${input}</label>`
}
