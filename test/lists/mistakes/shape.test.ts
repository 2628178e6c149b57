import t from 'tap'
import { defineList } from '../../../src/lists/define-list.js'
import { areRefused } from '../../support/fixtures/definition-code.js'

const wrongName =
  "'name' must be a word of letters, digits, '_' and '-', and none of users, practitioners, memberships, links, and is a string"
const aWord = "must be a word of letters, digits, '_' and '-', and no name that every object has"
const inOpenApi = "must be a word of letters, digits, '.', '_' and '-', and is"
const differentTexts =
  'needs texts that are not empty, have no control characters and differ in more than case and accents'
const anOrder =
  "'order' must be the column that sorts the list, such as 'issued_at', or '-issued_at' for the newest first, and is"

const aPath = "must be a text such as '/lesson/:lesson_id', with one parameter as a whole part of the path"

t.test('a wrong form, a name that is taken, and what an extension cannot change are mistakes', async (t) => {
  areRefused(t, {
    "name: 'my certificates'": wrongName,
    "name: 'users'": wrongName,
    "path: 'certificate/list'":
      "'path' must be a text that begins with '/', and has no space, '?', ';', '#' or '%', and is a string",
    "key: 'total'": "'key' must be a text, and none of status, message, page, limit, total, and is a string",
    'openapi.operationId: ': `'openapi.operationId' ${inOpenApi} undefined`,
    "openapi.name: 'My Certificate'": `'openapi.name' ${inOpenApi} a string`,
    'messages: ': "'messages.found' must be a text, and is undefined",
    'filter: {}': "the definition has no property 'filter' (did you mean 'filters'?)",
    "columns.score: 'decimal'": "'columns.score' must be made by 'column', and is a string",
    "columns.level: column.enum(['basic', 'basic '])": `column 'level' ${differentTexts}`,
    "columns.level: column.enum(['basic', 'basic'])": `column 'level' ${differentTexts}`,
    "columns.level: column.enum(['basic', 'Basic'])": `column 'level' ${differentTexts}`,
    "columns.level: column.enum(['basic', 'ex\\npert'])": `column 'level' ${differentTexts}`,
    "columns.'a as b': column.text()": `the name 'a as b' in 'columns' ${aWord}`,
    'joined: { users: { state: column.enum([]) } }': `column 'state' ${differentTexts}`,
    'joined: { users: { email: column.text() } }': "the table 'users' has the column 'email' already",
    'joined: { links: { note: column.text() } }': "'joined' has no property 'links'",
    "order: { column: 'issued_at', direction: 'desc' }": `${anOrder} an object with column, direction`,
    'order: ': `${anOrder} undefined`,
    "sort: 'score'": "'sort' must be an array of columns, and is a string",
    "unshown: 'level'": "'unshown' must be an array of columns, and is a string",
    'unshown: { level: true }': "'unshown' must be an array of columns, and is an object with level",
    'unshown: null': "'unshown' must be an array of columns, and is null",
    "fields.level: column.text({ examples: ['basic'] })": "the list has the column 'level' already",
    "fields.'users.email': column.text({ examples: ['x'] })": `the name 'users.email' in 'fields' ${aWord}`,
    "fields.constructor: { column: 'title', examples: ['x'] }": `the name 'constructor' in 'fields' ${aWord}`,
    "fields.name: { column: 'title', examples: ['x'], descripton: 'x' }":
      "'fields.name' has no property 'descripton' (did you mean 'description'?)",
    "search: { examples: ['x'] }": "'search.columns' must be an array of at least one text, and is undefined",
    "search: { columns: [], examples: ['x'] }":
      "'search.columns' must be an array of at least one text, and is an array",
    "search: { columns: ['title'], term: 'lower', examples: ['x'] }":
      "'search.term' must be a function of a text, and is a string",
    "search: { columns: ['title'], requierd: true, examples: ['x'] }":
      "'search' has no property 'requierd' (did you mean 'required'?)",
    'filters.level: null': "'filters.level' must be an object, and is null",
    'roles: ': "'roles' must be an object with at least one role and its reach, and is undefined",
    'roles: {}': "'roles' must be an object with at least one role and its reach, and is an object with no properties",
    "columns.score: column.decimal({ roles: ['Admin'] })":
      "'columns.score' cannot have 'roles': give them to the field that shows the column",
    'extend: null': "'extend' needs an object, and not null",
    "paging: 'key'": "'paging' must be 'number' or 'after', and is a string",
    "paging: 'after'; key: 'next'": "'key' cannot be 'next', which is another property of an answer of this list",
    "filters.level: { counted: true, examples: ['basic'] }; key: 'counts'":
      "'key' cannot be 'counts', which is another property of an answer of this list",
    'record: true': "'record' must be an object, and is true",
    "record: { path: '/certificate', key: 'one', messages: {} }": `'record.path' ${aPath}, and is a string`,
    "record: { path: '/certificate/:id(^a)', key: 'one', messages: {} }": `'record.path' ${aPath}, and is a string`,
    "record: { path: '/certificate/:a/:b', key: 'one', messages: {} }": `'record.path' ${aPath}, and is a string`,
    "record: { path: '/certificate/:id', key: 'status', messages: {} }":
      "'record.key' must be a text, and none of status, message, and is a string",
    "record: { path: '/certificate/:id', key: 'one', messages: { found: 'a' } }":
      "'record.messages.notFound' must be a text, and is undefined",
    "record: { path: '/certificate/:id', key: 'one', messages: {}, more: 1 }": "'record' has no property 'more'",
    'extend: { filters: { level: { counted: true, several: true } } }': "the list has the filter 'level' already",
    'extend: { filters: { level: null } }': "the list has the filter 'level' already",
    "extend: { roles: { Admin: 'own' } }":
      "'extend' cannot change 'roles'; it takes columns, joined, fields, filters, search, sort, unshown, path, key, paging, record, openapi",
    "extend: { fields: { title: { column: 'level', examples: ['basic'] } } }": "the list has the field 'title' already",
    'extend: { columns: { title: column.text() } }': "the list has the column 'title' already",
    "extend: { filters: { level: { column: 'title', examples: ['x'] } } }": "the list has the filter 'level' already",
    "extend: { search: { columns: ['title'], exmples: ['x'] } }":
      "'search' has no property 'exmples' (did you mean 'examples'?)",
    'joined: { users: { full: column.text() } }; extend: { joined: { users: { full: column.text() } } }':
      "the table 'users' has the column 'full' already",
    'joined: { practitioners: { title: column.text() } }; extend: { joined: { practitioners: { title: column.text() } } }':
      "the table 'practitioners' has the column 'title' already",
    'extend: { joined: { users: { email: column.text() } } }': "the table 'users' has the column 'email' already"
  })
  t.throws(() => defineList(undefined as never), {
    code: 'FST_LISTING_INVALID_OPTION',
    message: "List 'undefined': the definition must be an object, and is undefined."
  })
})
