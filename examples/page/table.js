/** Draws a table of items. Every value goes in as text, never as HTML: a name may be anything. */

/** @typedef {import('./lists.js').Column<string>} Column */

/**
 * @param {HTMLTableElement} table
 * @param {Column[]} columns
 * @param {Record<string, unknown>[]} items
 * @param {string} term what was searched for
 */
export function draw(table, columns, items, term) {
  // where a row is drawn as a card, browsers forget that it is one of a table
  table.setAttribute('role', 'table')
  for (const group of [table.tHead, table.tBodies[0]]) group?.setAttribute('role', 'rowgroup')
  const titles = columns.map((column) => cell('th', column, [column.title], 'col'))
  table.tHead?.replaceChildren(row(titles))
  table.tBodies[0]?.replaceChildren(
    ...items.map((item) =>
      row(
        columns.map((column, index) => {
          const content = contentOf(column, item, term)
          return index === 0 ? cell('th', column, content, 'row') : cell('td', column, content)
        })
      )
    )
  )
}

/** @param {Node[]} cells */
function row(cells) {
  const row = document.createElement('tr')
  row.setAttribute('role', 'row')
  row.append(...cells)
  return row
}

/**
 * @param {'th' | 'td'} tag
 * @param {Column} column
 * @param {(Node | string)[]} content
 * @param {string} [scope]
 */
function cell(tag, { title, kind, isSorted }, content, scope) {
  const cell = document.createElement(tag)
  if (scope) cell.setAttribute('scope', scope)
  if (scope === 'col' && isSorted) cell.ariaSort = 'descending'
  cell.setAttribute('role', tag === 'td' ? 'cell' : `${scope === 'col' ? 'column' : 'row'}header`)
  // for narrow pages, where each row is a card
  cell.dataset.title = title
  cell.className = kind ?? ''
  cell.append(...content)
  return cell
}

/**
 * @param {Column} column
 * @param {Record<string, unknown>} item
 * @param {string} term
 */
function contentOf({ fields, kind, write = text, isSearched }, item, term) {
  const values = fields.map((field) => write(item[field])).filter(Boolean)
  if (values.length === 0) return ['–']
  return values.flatMap((value) => {
    // names of both writing directions stand side by side
    const field = document.createElement('bdi')
    field.append(...(isSearched ? marked(value, term) : [value]))
    if (kind === 'status') field.dataset.status = value
    return [field, ' ']
  })
}

/** @param {unknown} value */
const text = (value) => String(value ?? '')

/**
 * A text with each place marked where the term stands, in either case of ASCII letters, as the search
 * compares them. (MySQL may find more, by its collation.)
 *
 * @param {string} text
 * @param {string} term
 */
function marked(text, term) {
  if (!term) return breakable(text)
  const [within, wanted] = [lower(text), lower(term)]
  const nodes = []
  let done = 0
  for (let place = within.indexOf(wanted); place >= 0; place = within.indexOf(wanted, done)) {
    const mark = document.createElement('mark')
    mark.append(...breakable(text.slice(place, place + term.length)))
    nodes.push(...breakable(text.slice(done, place)), mark)
    done = place + term.length
  }
  return [...nodes, ...breakable(text.slice(done))]
}

/** An address of email may go on in a second line from its `@` on. @param {string} text */
const breakable = (text) =>
  text.split(/(?=@)/).flatMap((part) => (part.startsWith('@') ? [document.createElement('wbr'), part] : [part]))

/** @param {string} text */
const lower = (text) => text.replace(/[A-Z]/g, (letter) => letter.toLowerCase())
