/**
 * A trust of schools, whose people have several roles: a counsellor has a child at the school, a head teaches, and
 * somebody in the finance office is a parent. Each role says which incidents it reaches and which fields it reads, and a
 * person gets what each of their roles would give alone. So a counsellor reads the notes of the pupils in their care, and not
 * those of their own child, whose incidents they see as a parent. If the child may be in their care, too, the select of
 * `caseload` has to leave it out.
 *
 *     resolveRole: ({ user }) => ({
 *       userId: user.account,
 *       role: ['Account', ...user.roles],                                     // ['Account', 'Counsellor', 'Parent']
 *       ids: { tenant: user.trust, parent: user.parent, branch: user.branch } // null: no such id
 *     })
 *
 * What the mapping has to solve: nobody must be taken for somebody else. Staff are accounts, parents have numbers of an older
 * register, and a machine asks for one branch, so each part says which id of the caller it compares. The tables of links are
 * selects: one ends at a date, one joins, one walks down the tree of branches, and one is a union.
 *
 * A union, a join or a date costs what its tables cost. The tree is built by each request, and MariaDB cannot know how
 * few branches it gives, so it reads every incident of the trust: 150 ms for 200,000 incidents, and 20 ms if a table with
 * the index (owner_id, linked_id) holds the tree.
 */
import { column, defineList, defineOptions, type ResolveRole } from 'fastify-assessment-payment-listing'
import { type Kysely, sql } from 'kysely'

export interface DB {
  accounts: { id: number; name: string }
  branches: { id: number; parent_id: number | null }
  branch_heads: { staff_id: number; branch_id: number }
  pupils: { id: number; name: string; class_id: number; branch_id: number }
  guardianships: { parent_id: string; pupil_id: number; ends_on: Date | null }
  lessons: { staff_id: number; class_id: number }
  class_covers: { staff_id: number; class_id: number }
  branch_covers: { staff_id: number; branch_id: number }
  caseload: { counsellor_id: number; pupil_id: number }
  incidents: {
    id: number
    tenant_id: number
    pupil_id: number
    branch_id: number
    region: 'north' | 'south'
    counsellor_id: number | null
    state: 'draft' | 'open' | 'closed'
    severe: boolean
    summary: string
    notes: string | null
    reported_at: Date
  }
  invoices: { id: number; tenant_id: number; payer_id: number; amount: string; issued_on: Date }
}

export const incidents = defineList({
  name: 'incidents',
  path: '/incident/list',
  key: 'incidents',
  openapi: {
    name: 'Incident',
    operationId: 'listIncidents',
    summary: 'List incidents',
    description: 'The incidents that the caller may see, newest first.'
  },
  fields: {
    id: column.id({ examples: ['4711'] }),
    pupil_id: column.id({ examples: ['17'] }),
    pupil: { column: 'users.last_name', examples: ['Zoë Example'] },
    branch_id: column.id({ examples: ['4'] }),
    region: column.enum(['north', 'south'], { examples: ['south'] }),
    counsellor_id: column.id({ whenNull: 'null', examples: ['9'] }),
    state: column.enum(['draft', 'open', 'closed'], { examples: ['open'] }),
    severe: column.boolean({ examples: [false] }),
    summary: column.text({ examples: ['A fall in the gym.'] }),
    notes: column.text({ whenNull: 'null', roles: ['Counsellor', 'SevereHead'], examples: ['Talked to both.'] }),
    reported_at: column.wallTime({ whenNull: 'error', examples: ['2026-03-01 09:30:00'] })
  },
  columns: { tenant_id: column.id() },
  id: 'id',
  owner: 'pupil_id',
  order: '-reported_at',
  search: { columns: ['users.last_name', 'summary', 'notes'], examples: ['gym'] },
  filters: {
    state: { several: true, examples: ['open'] },
    severe: { examples: [true] },
    has_notes: { column: 'notes', present: true }
  },
  /** Whatever the role, nobody leaves the trust. */
  within: { tenant_id: 'tenant' },
  roles: {
    Parent: { linked: 'pupil_id', by: 'guardians', callerId: 'parent', where: { state: ['open', 'closed'] } },
    Teacher: { linked: 'pupil_id', by: 'classes' },
    Substitute: { linked: 'pupil_id', by: 'covers' },
    Counsellor: [{ own: 'counsellor_id' }, { linked: 'pupil_id', by: 'caseload' }],
    Head: { linked: 'branch_id', by: 'heads' },
    /** A head has this role too, and reads the notes of severe incidents. */
    SevereHead: { linked: 'branch_id', by: 'heads', where: { severe: true } },
    South: { where: { region: 'south' } },
    Machine: { own: 'branch_id', callerId: 'branch' },
    Office: 'all',
    Account: 'none'
  },
  messages: { found: 'Incidents found.', forbidden: 'You may not see incidents.' }
})

/** Everybody has the role `Account`, whose own invoices show a name. The finance office sees all invoices without names. */
export const invoices = defineList({
  name: 'invoices',
  path: '/invoice/list',
  key: 'invoices',
  openapi: { name: 'Invoice', operationId: 'listInvoices', summary: 'List invoices', description: 'Newest first.' },
  fields: {
    id: column.id({ examples: ['12'] }),
    payer: { column: 'users.last_name', roles: ['Account'], examples: ['Zoë Example'] },
    amount: column.decimal({ examples: [65] }),
    issued_on: column.date({ whenNull: 'error', examples: ['2026-01-01'] })
  },
  columns: { tenant_id: column.id(), payer_id: column.id() },
  id: 'id',
  owner: 'payer_id',
  order: '-issued_on',
  search: { columns: ['users.last_name'], examples: ['zo'] },
  within: { tenant_id: 'tenant' },
  roles: { Account: 'own', Finance: 'all' },
  messages: { found: 'Invoices found.', forbidden: 'You may not see invoices.' }
})

export const incidentOptions = (db: Kysely<DB>, resolveRole: ResolveRole) =>
  defineOptions({
    db,
    resolveRole,
    lists: [incidents],
    tables: (db) => ({
      users: db
        .selectFrom('pupils')
        .select(['id as user_id', 'name as last_name'])
        .select(({ val }) => [val('').as('first_name'), val('').as('email'), val(null).as('avatar_url')]),
      // Until a date, which the database compares at each request.
      guardians: db
        .selectFrom('guardianships')
        .where(({ eb, or }) => or([eb('ends_on', 'is', null), eb('ends_on', '>=', sql<Date>`current_date`)]))
        .select(['parent_id as owner_id', 'pupil_id as linked_id']),
      // Two hops: from the teacher to a class, and from there to its pupils.
      classes: db
        .selectFrom('lessons')
        .innerJoin('pupils', 'pupils.class_id', 'lessons.class_id')
        .select(['lessons.staff_id as owner_id', 'pupils.id as linked_id']),
      // A union: a substitute is booked for a class or for a whole branch.
      covers: db
        .selectFrom('class_covers')
        .innerJoin('pupils', 'pupils.class_id', 'class_covers.class_id')
        .select(['class_covers.staff_id as owner_id', 'pupils.id as linked_id'])
        .unionAll(
          db
            .selectFrom('branch_covers')
            .innerJoin('pupils', 'pupils.branch_id', 'branch_covers.branch_id')
            .select(['branch_covers.staff_id as owner_id', 'pupils.id as linked_id'])
        ),
      caseload: db.selectFrom('caseload').select(['counsellor_id as owner_id', 'pupil_id as linked_id']),
      // A tree: the branches that somebody heads, and all below them.
      heads: db
        .withRecursive('led(staff_id, branch_id)', (db) =>
          db
            .selectFrom('branch_heads')
            .select(['staff_id', 'branch_id'])
            .union(
              db
                .selectFrom('led')
                .innerJoin('branches', 'branches.parent_id', 'led.branch_id')
                .select(['led.staff_id', 'branches.id as branch_id'])
            )
        )
        .selectFrom('led')
        .select(['staff_id as owner_id', 'branch_id as linked_id'])
    })
  })

/** The payers are accounts and no pupils, so the invoices have other users, in a registration of their own. */
export const invoiceOptions = (db: Kysely<DB>, resolveRole: ResolveRole) =>
  defineOptions({
    db,
    resolveRole,
    lists: [invoices],
    tables: (db) => ({
      users: db
        .selectFrom('accounts')
        .select(['id as user_id', 'name as last_name'])
        .select(({ val }) => [val('').as('first_name'), val('').as('email'), val(null).as('avatar_url')])
    })
  })
