import t from 'tap'
import { refuses, told } from '../support/hosts/options.js'

const notObjects = [null, true, 'hunter2', [], ['hunter2']]

/** The options that are objects with names, and what is none. */
const wrong: Record<string, unknown[]> = {
  tables: [
    ...[...notObjects, new (class Tables {})()],
    told({ user: 'members' }, "an entry 'user' (did you mean 'users'?)"),
    told({ users: 'members', toString: 'members' }, "an entry 'toString'")
  ],
  roles: [
    ...[...notObjects, () => ({}), new Map()],
    told({ assessment: {} }, "an entry 'assessment' (did you mean 'assessments'?)"),
    told({ Admin: 'all' }, "an entry 'Admin'")
  ],
  messages: [
    ...[...notObjects, () => ({}), new Date()],
    told({ unauthorised: 'No.' }, "an entry 'unauthorised' (did you mean 'unauthorized'?)"),
    told({ internal: 'Oops.', constructor: 'x' }, "an entry 'constructor'")
  ]
}

for (const [name, values] of Object.entries(wrong)) {
  t.test(`the option ${name} is an object, and its entries have known names`, async (t) => refuses(t, name, values))
}
