/**
 * The lists: where each is, what it can be asked, and the columns of its table. The page knows two of them, and reads all
 * others from the OpenAPI document.
 */

/**
 * @template {string} Field
 * @typedef {object} Column
 * @property {string} title
 * @property {Field[]} fields of an item, side by side
 * @property {boolean} [isSearched] whether the search looks into them
 * @property {'number' | 'code' | 'status'} [kind] for the looks
 * @property {true} [isSorted] whether the list is sorted by it, the highest value first
 * @property {(value: unknown) => string} [write] how a value is shown
 */

/**
 * @typedef {object} List
 * @property {string} title
 * @property {string} path
 * @property {string} searched which fields the search looks into. Empty for a list without a search
 * @property {string} filter the parameter of the status. Empty for a list without statuses
 * @property {string} filterTitle that of the column which it filters
 * @property {string[]} statuses
 * @property {string} order by which field it is sorted
 * @property {string} items where an answer has its items
 * @property {Column<string>[]} columns the first one names the record
 */

/** `2024-03-01T09:30:00Z`, under a title that says UTC. @param {unknown} time */
const utc = (time) => String(time ?? '').replace(/[TZ]/g, (letter) => (letter === 'T' ? ' ' : ''))

/** @type {Column<keyof import('fastify-assessment-payment-listing').AssessmentItem>[]} */
const assessmentColumns = [
  { title: 'Id', fields: ['assessment_id'] },
  { title: 'Name', fields: ['first_name', 'last_name'], isSearched: true },
  { title: 'Email', fields: ['email'], isSearched: true },
  { title: 'Organizations', fields: ['org_names'], write: (names) => /** @type {string[]} */ (names).join(', ') },
  { title: 'Practitioner', fields: ['practitioner_first_name', 'practitioner_last_name'] },
  { title: 'Type', fields: ['assessment_type'] },
  { title: 'Licence', fields: ['licence'], kind: 'code' },
  { title: 'Status', fields: ['status'], kind: 'status' },
  { title: 'Assigned (UTC)', fields: ['date_assignment'], kind: 'code', write: utc },
  { title: 'Concluded (UTC)', fields: ['date_conclusion'], kind: 'code', write: utc }
]

/** @type {Column<keyof import('fastify-assessment-payment-listing').PaymentItem>[]} */
const paymentColumns = [
  { title: 'Id', fields: ['payment_id'] },
  { title: 'Payment intent', fields: ['payment_intent'], kind: 'code', isSearched: true },
  { title: 'Email', fields: ['email'], isSearched: true },
  { title: 'Amount', fields: ['amount'], kind: 'number', write: (amount) => Number(amount).toFixed(2) },
  { title: 'Quantity', fields: ['quantity'], kind: 'number' },
  { title: 'Method', fields: ['payment_method'] },
  { title: 'Status', fields: ['payment_status'], kind: 'status' },
  { title: 'At the processor', fields: ['processor_status'], kind: 'status' },
  { title: 'Paid', fields: ['paid_at'], kind: 'code' },
  { title: 'Created', fields: ['created_at'], kind: 'code', isSorted: true }
]

/** @type {Record<string, List>} */
const known = {
  assessments: {
    title: 'Assessments',
    path: 'assessment/list',
    searched: 'names or email',
    filter: 'status',
    filterTitle: 'Status',
    statuses: ['completed', 'pending', 'reserved'],
    order: 'by created_at, which is not in the answer',
    items: 'assessments',
    columns: assessmentColumns
  },
  payments: {
    title: 'Payments',
    path: 'payment/list',
    searched: 'payment intent or email',
    filter: 'processor_status',
    filterTitle: 'At the processor',
    statuses: ['succeeded', 'complete', 'pending', 'failed', 'canceled'],
    order: 'by created_at',
    items: 'data',
    columns: paymentColumns
  }
}

/** `issued_at` is `Issued at`. @param {string} name */
const titleOf = (name) =>
  name.charAt(0).toUpperCase() +
  name
    .slice(1)
    .replace(/_|(?=[A-Z])/g, ' ')
    .toLowerCase()

/** @param {unknown} value */
const written = (value) => (Array.isArray(value) ? value.join(', ') : String(value ?? ''))

/** @param {unknown} type */
const isNumber = (type) => type === 'number' || type === 'integer'

/**
 * @param {string} path
 * @param {any} operation of the OpenAPI document
 * @param {Record<string, any>} schemas
 * @returns {List | undefined} undefined for an operation that is no list
 */
function described(path, { tags, parameters = [], responses }, schemas) {
  const schema = (/** @type {{ $ref?: string } | undefined} */ of) => schemas[String(of?.$ref).replace(/.*\//, '')]
  const page = schema(responses?.[200]?.content?.['application/json']?.schema?.allOf?.[0])
  const [items, array] = Object.entries(page?.properties ?? {}).find(([, { type }]) => type === 'array') ?? []
  if (!items || !page.properties.total) return undefined
  const filter = parameters.find((/** @type {any} */ { schema }) => schema.enum)
  return {
    title: titleOf(tags[0]),
    path: path.slice(1),
    searched: parameters.some((/** @type {any} */ { name }) => name === 'search') ? 'texts' : '',
    filter: filter?.name ?? '',
    filterTitle: titleOf(filter?.name ?? ''),
    statuses: filter?.schema.enum ?? [],
    order: 'by time',
    items,
    columns: Object.entries(schema(array.items).properties).map(([name, { type, anyOf = [{ type }] }]) => ({
      title: titleOf(name),
      fields: [name],
      write: written,
      ...(isNumber(anyOf[0].type) && { kind: 'number' })
    }))
  }
}

/** @returns {Promise<Record<string, List>>} */
async function readLists() {
  const { paths, components } = await fetch('docs/json').then((response) => response.json())
  const found = Object.entries(paths).flatMap(([path, { get }]) => {
    const name = get?.tags?.[0]
    const list = name && !known[name] && described(path, get, components.schemas)
    return list ? [[name, list]] : []
  })
  return { ...known, ...Object.fromEntries(found) }
}

export const lists = await readLists().catch(() => known)
