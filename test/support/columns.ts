/** The tables of the default lists, and the names of their columns. */
import { assessments } from '../../src/lists/ready/assessments.js'
import { payments } from '../../src/lists/ready/payments.js'
import { sharedTables } from '../../src/lists/shared-tables.js'

const tables = { assessments: assessments.columns, payments: payments.columns, ...sharedTables }

export type TableName = keyof typeof tables

export const columnsOf = Object.fromEntries<readonly string[]>(
  Object.entries(tables).map(([table, columns]) => [table, Object.keys(columns)])
) as { readonly [Name in TableName]: readonly (keyof (typeof tables)[Name] & string)[] }
