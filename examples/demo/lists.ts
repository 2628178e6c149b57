/**
 * What the page has to know of each list, from the OpenAPI document: where the list is, what it can be asked, and the
 * columns of its table. `known` has what the document cannot say.
 */

export interface PageColumn {
  title: string
  /** Of an item, side by side. */
  fields: string[]
  /** For the looks. */
  kind?: 'number' | 'money' | 'code' | 'status'
  /** The search looks into it. */
  isSearched?: boolean
  /** The list is sorted by it, the newest first. */
  isOrder?: boolean
  /** The value of the parameter `sort`. */
  sort?: string
}

export interface PageFilter {
  name: string
  title: string
  kind: 'text' | 'choice' | 'several' | 'date' | 'number'
  values: string[]
}

export interface PageList {
  name: 'assessments' | 'payments' | 'certificates'
  title: string
  path: string
  /** The path of one record, with the id in braces. */
  record?: string
  /** The pages follow a record, and have no numbers. */
  isEndless: boolean
  /** The filters that `counts` knows. */
  counted: string[]
  /** Its id in the OpenAPI document. */
  operation: string
  /** Which fields the search looks into. Empty for a list without a search. */
  searched: string
  filters: PageFilter[]
  /** The names of all parameters. */
  names: string[]
  /** Where an answer has its items. */
  items: string
  /** The first one names the record. */
  columns: PageColumn[]
}

interface Schema {
  type?: string
  enum?: string[]
  pattern?: string
  items?: Schema
  anyOf?: Schema[]
  examples?: unknown[]
}

interface Parameter {
  name: string
  schema: Schema
}

export interface OpenapiDocument {
  paths: Record<string, { get: { tags: PageList['name'][]; operationId: string; parameters: Parameter[] } }>
}

interface Known {
  searched: string
  /** The fields that the search looks into. */
  fields: string[]
  /** The field that sorts the list, if its items have it. */
  order?: string
  /** Values of a parameter that takes any text. */
  values?: Record<string, string[]>
}

const known: Record<PageList['name'], Known> = {
  assessments: { searched: 'names or email', fields: ['first_name', 'email'] },
  payments: {
    searched: 'payment intent or email',
    fields: ['payment_intent', 'email'],
    order: 'created_at',
    values: { processor_status: ['succeeded', 'complete', 'pending', 'failed', 'canceled'] }
  },
  certificates: { searched: 'title or email', fields: ['title', 'email'], order: 'issuedAt' }
}

const titles: Record<string, string> = {
  assessment_id: 'Id',
  payment_id: 'Id',
  certificate_id: 'Id',
  first_name: 'Name',
  org_names: 'Organizations',
  practitioner_first_name: 'Practitioner',
  assessment_type: 'Type',
  payment_method: 'Method',
  payment_status: 'Status',
  processor_status: 'At the processor',
  date_assignment: 'Assigned',
  date_conclusion: 'Concluded',
  paid_at: 'Paid',
  created_at: 'Created',
  issuedAt: 'Issued'
}
const hidden = [
  'user_id',
  'avatarUrl',
  'practitioner_id',
  'examiner_id',
  'clinic_id',
  'last_name',
  'practitioner_last_name'
]
const codes = ['licence', 'payment_intent']

/** `valid_until` and `validUntil` are "Valid until". */
const titleOf = (name: string) => {
  const words = name.replace(/_|(?=[A-Z])/g, ' ').toLowerCase()
  return titles[name] ?? words.charAt(0).toUpperCase() + words.slice(1)
}

const isNumber = ({ type }: Schema) => type === 'number' || type === 'integer'

export function pageLists(
  document: OpenapiDocument,
  definitions: readonly { name: string; key: string; item: { properties: Record<string, Schema> } }[]
): PageList[] {
  return Object.entries(document.paths).flatMap(([path, { get }]) => {
    const [name] = get.tags
    const definition = definitions.find((definition) => definition.name === name)
    // one record has a path of its own
    if (!name || !definition || path.includes('{')) return []
    const names = get.parameters.map(({ name }) => name)
    const schemaOf = (wanted: string) => get.parameters.find(({ name }) => name === wanted)?.schema
    const sorts = schemaOf('sort')?.enum ?? []
    const record = Object.keys(document.paths).find((path) => path.includes('{') && isOf(document, path, name))
    return {
      name,
      title: titleOf(name),
      path,
      ...(record && { record }),
      isEndless: names.includes('after'),
      counted: schemaOf('counts')?.items?.enum ?? [],
      operation: get.operationId,
      searched: names.includes('search') ? known[name].searched : '',
      filters: get.parameters
        .filter(({ name }) => !['search', 'sort', 'page', 'limit', 'after', 'total', 'counts'].includes(name))
        .map((parameter) => filterOf(parameter, known[name].values ?? {})),
      names,
      items: definition.key,
      columns: columnsOf(definition.item.properties, sorts, known[name])
    }
  })
}

const isOf = ({ paths }: OpenapiDocument, path: string, name: PageList['name']) => paths[path]?.get.tags.includes(name)

function filterOf({ name, schema }: Parameter, known: Record<string, string[]>): PageFilter {
  const values =
    schema.items?.enum ?? schema.enum ?? known[name] ?? (schema.type === 'boolean' ? ['true', 'false'] : [])
  const other = isNumber(schema) ? 'number' : schema.pattern?.startsWith('^\\d{4}') ? 'date' : 'text'
  const kind = values.length === 0 ? other : schema.type === 'array' ? 'several' : 'choice'
  return { name, title: titleOf(name), kind, values }
}

/** The id, the time that sorts the list if the items have it, and then the others, as in an item. */
function columnsOf(properties: Record<string, Schema>, sorts: string[], { fields, order }: Known): PageColumn[] {
  const shown = Object.keys(properties).filter((field) => !hidden.includes(field) && field !== order)
  return [...shown.splice(0, 1), ...(order ? [order] : []), ...shown].map((field) => {
    const schema = properties[field] ?? {}
    const first = schema.anyOf?.[0] ?? schema
    const example = String(schema.examples?.[0])
    const isTime = /^\d{4}-\d\d-\d\d/.test(example)
    // a list may sort by the column `issued_at`, and show it as `issuedAt`
    const sort = sorts.find((sort) => sort.replaceAll('_', '') === field.replaceAll('_', '').toLowerCase())
    const isStatus = first.enum !== undefined || field.endsWith('_status')
    const other = isTime || codes.includes(field) ? 'code' : isStatus ? 'status' : undefined
    const kind = field === 'amount' ? 'money' : isNumber(first) ? 'number' : other
    return {
      title: titleOf(field) + (example.endsWith('Z') ? ' (UTC)' : ''),
      fields: field.endsWith('first_name') ? [field, field.replace('first', 'last')] : [field],
      isSearched: fields.includes(field),
      isOrder: field === order,
      ...(kind && { kind }),
      ...(sort && { sort })
    }
  })
}
