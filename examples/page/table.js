/** Draws a table of items. Every value goes in as text, never as HTML: a name may be anything. */
import { breakable, make } from './element.js'

/** @typedef {import('../demo/lists.js').PageColumn} Column */

/**
 * @param {HTMLTableElement} table
 * @param {Column[]} columns
 * @param {Record<string, unknown>[]} items
 * @param {string} term what was searched for
 * @param {string} sorted by which parameter `sort`, or '' for the list's own order
 * @param {boolean} opens whether the id opens the record
 */
export function draw(table, columns, items, term, sorted, opens) {
  const titles = columns.map((column) => head(column, sorted))
  const rows = items.map((item) => {
    const cells = columns.map((column, index) => {
      const content = contentOf(column, item, term)
      if (index) return cell('cell', column, content)
      const value = String(item[column.fields[0] ?? ''])
      const id = opens ? [make('button', { type: 'button', name: 'record', value }, value)] : content
      return cell('rowheader', column, id)
    })
    return make('tr', { role: 'row' }, ...cells)
  })
  table.role = 'table'
  for (const part of table.querySelectorAll('thead, tbody')) part.role = 'rowgroup'
  table.tHead?.replaceChildren(make('tr', { role: 'row' }, ...titles))
  table.tBodies[0]?.replaceChildren(...rows)
}

/** The button sorts by the column: upwards, downwards, and no more. @param {Column} column @param {string} sorted */
function head(column, sorted) {
  const { title, sort, isOrder } = column
  const made = cell('columnheader', column, [title])
  if (sort) {
    const next = sorted === sort ? `-${sort}` : sorted === `-${sort}` ? '' : sort
    made.replaceChildren(make('button', { type: 'button', value: next }, title))
  }
  if (sorted ? sorted.replace('-', '') === sort : isOrder) {
    made.ariaSort = sorted === sort ? 'ascending' : 'descending'
  }
  return made
}

// where a row is drawn as a card, browsers forget the roles
/** @param {string} role @param {Column} column @param {(Node | string)[]} content */
function cell(role, { title, kind }, content) {
  const cell = make(role === 'cell' ? 'td' : 'th', { className: kind ?? '', role }, ...content)
  // for narrow pages, where each row is a card
  cell.dataset.title = title
  return cell
}

/** A field for some roles follows the way to the record. */
export const hidden = 'not for the role that reaches this record'

/** @param {Column} column @param {Record<string, unknown>} item @param {string} term */
function contentOf({ fields, kind, isSearched }, item, term) {
  if (fields[0] && !(fields[0] in item)) return [make('span', { className: 'faint' }, hidden)]
  const values = fields.map((field) => written(item[field], kind)).filter(Boolean)
  if (values.length === 0) return ['–']
  return values.flatMap((value) => {
    // names of both writing directions stand side by side
    const field = make('bdi', {}, ...(isSearched && term ? marked(value, term) : [value]).flatMap(breakable))
    if (kind === 'status') field.dataset.status = value
    return [field, ' ']
  })
}

/** @param {unknown} value @param {string} [kind] */
function written(value, kind) {
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  if (Array.isArray(value)) return value.join(', ')
  if (kind === 'money') return Number(value).toFixed(2)
  const text = String(value ?? '')
  // the title says UTC
  return kind === 'code' ? text.replace(/^([\d-]+)T([\d:]+)Z$/, '$1 $2') : text
}

/** Marks each place of a term, in either case of ASCII letters, as the search compares. @param {string} text @param {string} term */
function marked(text, term) {
  const [within, wanted] = [lower(text), lower(term)]
  const nodes = []
  let done = 0
  for (let place = within.indexOf(wanted); place >= 0; place = within.indexOf(wanted, done)) {
    nodes.push(text.slice(done, place), make('mark', {}, text.slice(place, place + term.length)))
    done = place + term.length
  }
  return [...nodes, text.slice(done)]
}

/** @param {string} text */
const lower = (text) => text.replace(/[A-Z]/g, (letter) => letter.toLowerCase())
