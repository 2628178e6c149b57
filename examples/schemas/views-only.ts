/**
 * A database whose owners give out views and nothing else. What the mapping has to solve: nothing, because a view whose
 * columns have the names of the lists is given by its name. The views have to be such that the indexes of their tables
 * are still used.
 *
 * `resolveRole` returns what the views call `user_id`.
 *
 * A view is looked through as long as each of its rows is one row of a table, or of a join: no `distinct`,
 * `group by`, `union` or `limit`, which would have it made in full for each page. What the lists are ordered and
 * restricted by (`created_at`, `user_id`, `owner_id`, ids and statuses) has to be a plain column of the table.
 * MySQL and MariaDB: `create algorithm = merge view` warns where that is not so. The host's account needs no right
 * but SELECT on the six.
 */
import type { ListingTables } from 'fastify-assessment-payment-listing'

/** What the owners were asked for. */
export const views = [
  `create view list_users as
    select id as user_id, given_name as first_name, family_name as last_name, mail as email, photo as avatar_url
    from people`,
  `create view list_practitioners as
    select people.id as practitioner_id, people.given_name as first_name, people.family_name as last_name
    from people inner join experts on experts.person_id = people.id`,
  `create view list_memberships as
    select org_people.person_id as user_id, orgs.name as org_name
    from org_people inner join orgs on orgs.id = org_people.org_id`,
  'create view list_links as select expert_id as owner_id, person_id as user_id from expert_people',
  `create view list_assessments as
    select id as assessment_id, licence, kind as assessment_type, person_id as user_id,
      expert_id as practitioner_id, status, assigned_at as date_assignment, concluded_at as date_conclusion,
      created_at
    from tests`,
  `create view list_payments as
    select id as payment_id, person_id as user_id, amount, quantity, intent as payment_intent, paid_at,
      method as payment_method, status as payment_status, processor_status, created_at
    from sales`
]

export const tablesOf = (): ListingTables => ({
  users: 'list_users',
  practitioners: 'list_practitioners',
  memberships: 'list_memberships',
  links: 'list_links',
  assessments: 'list_assessments',
  payments: 'list_payments'
})
