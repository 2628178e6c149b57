/**
 * Small faults in what decides whose records a caller sees, in what makes a comparison exact, and in the conformance kit:
 * the text that stands once in the file, the fault in place of the text, and the test that must notice the fault, if the
 * test is not the one that mirrors the file.
 *
 * @type {Record<string, [text: string, fault: string, test?: string][]>}
 */
export const faults = {
  'question/sql/scope.ts': [
    ['return isCaller(`r.${name}`, callerId)', 'return isCaller(`r.${list.owner}`, callerId)'],
    ['isCaller(`${linkAlias(by)}.owner_id`, callerId)', 'sql`1 = 1`'],
    ['select ${ids(linked)} from', "select ${ids('l.owner_id')} from"],
    ['where ${isCaller(own, callerId)}', 'where 1 = 0'],
    ['if (isLinked(reach)) {', 'if (!isOwn(reach)) {'],
    ['[isReached(part), ...conditions]', '[isReached(part)]'],
    ['[isReached(part), ...conditions]', 'conditions'],
    ['\n          union\n', '\n          union all\n', 'question/answers/page.test.ts'],
    ['${bytes ? sql`, ${bytes} as bytes` : nothing}', ''],
    ['identity(`r.${name}`, linkedId(by))', '[column(`r.${name}`)]'],
    ["isSelected('user_id', identity(record, linked))", 'sql`v.user_id = r.user_id`'],
    [
      'throw new Error("The reach \'none\' has no query.")',
      'return { id: callerId.bind(), sorting: callerId.bind(), from: () => nothing }'
    ]
  ],
  'question/known/fitted-sql.ts': [
    ['isExactId(path) && id.form.isWhole', 'isExactId(path)', 'question/sql/scope.test.ts'],
    ['isExactId(path) && id.form.isWhole', 'id.form.isWhole', 'question/sql/scope.test.ts'],
    ['compared[rung.caller]', 'compared.usual'],
    ['...compared[rung.texts]', '...compared.usual'],
    ["{ texts: 'slower', caller: 'usual' },", "{ texts: 'slower', caller: 'slower' },"],
    ['(isExact(path, ...others) ?', '(isExact(path) ?', 'question/sql/scope.test.ts'],
    ['isExact(one, other)', 'isExact(one)']
  ],
  'kinds/texts.ts': [
    ['{ same }) => same(column, value)', '{ equals }) => equals(column, value)'],
    ['(isNeverEmpty ? alwaysPresent()', '(!isNeverEmpty ? alwaysPresent()', 'question/sql/filters.test.ts']
  ],
  'kinds/times.ts': [
    ['  presence,\n', '  presence: () => ({ none: [], some: [] }),\n', 'question/sql/filters.test.ts'],
    ["operator === '<' ? changed(value, afterDay) : value", 'value', 'lists/lessons.test.ts'],
    ["'0000%', '____-00%', ", "'0000%', ", 'question/sql/filters.test.ts']
  ],
  'question/sql/filters.ts': [
    ["whenNull === 'error' ? alwaysPresent() : presence()", 'alwaysPresent()'],
    ['${sql.join(conditions, sql` or `)}', '${sql.join(conditions, sql` and `)}']
  ],
  'question/sql/queries.ts': [['...filtered, ...fromHere()', '...fromHere()', 'question/sql/filters.test.ts']],
  'question/asked/question.ts': [
    [
      "callerId: of('caller', caller.userId)",
      'callerId: parameterOf(caller.userId)',
      'question/sql/compiled-statements.test.ts'
    ],
    ['{ ...shape, filters }', '{ ...shape, filters, callerId: 0 }', 'question/sql/compiled-statements.test.ts'],
    ['{ ...shape, filters }', '{ ...shape, filters: 0 }', 'question/sql/compiled-statements.test.ts'],
    ['[name, values[0], values.length]', '[name, values[0]]', 'question/sql/compiled-statements.test.ts'],
    ['{ ...shape, filters }', '{ ...shape, filters, from: 0 }', 'question/sql/compiled-statements.test.ts'],
    ['{ ...shape, filters }', '{ ...shape, filters, reach: 0 }', 'question/sql/compiled-statements.test.ts'],
    ['of(`${name} ${place}`, text, form)', 'of(name, text, form)', 'question/sql/filters.test.ts']
  ],
  'question/sql/compiled-statements.ts': [
    ['slotFor(name, form)', 'parameterOf(text, form)'],
    ['`${number} ${keyOfShape(shape)}`', 'keyOfShape(shape)', 'lists/lessons.test.ts'],
    ['`${number} ${keyOfShape(shape)}`', '`${number}`'],
    ['!users?.length && !records?.length', 'true'],
    [', users?.length, records?.length].join()', '].join()'],
    ["['page', span.backwards, plan,", "['page', plan,"],
    ['plan, withTotal, isBatch]', 'plan, withTotal]']
  ],
  'database/parameter.ts': [
    ['/^(0|[1-9]\\d{0,14})$/', '/^\\d{1,15}$/', 'question/sql/scope.test.ts'],
    ['/^(0|[1-9]\\d{0,14})$/', '/^(0|[1-9]\\d{0,14})/', 'question/sql/scope.test.ts'],
    ['/^[\\w%!@.+: -]*$/', '/^.*$/s']
  ],
  'database/source.ts': [
    ['last && isDeepStrictEqual(nodes, last.nodes)', 'last', 'access/sources.test.ts'],
    ['steadyPlugins.includes(plugin.constructor)', 'true', 'access/sources.test.ts'],
    ['used.join()', "''"],
    ['db.withoutPlugins()', 'db'],
    ["column === 'practitioner_id' ? 'user_id' : column", 'column']
  ],
  'database/fixed-table.ts': [
    ['Object.values(others).every((part) => part === undefined)', 'true'],
    ['needed.every((name) => renamed.has(name)) &&', '']
  ],
  'lists/reach.ts': [
    ['Object.hasOwn(list.roles, role) && ', ''],
    ['column: part.own', "column: 'user_id'", 'question/sql/scope.test.ts']
  ],
  'access/caller.ts': [
    ["if (reach === 'none') throw", 'if (false) throw'],
    ["typeof userId === 'bigint'", 'false'],
    ['/^[^\\p{Cc}\\p{Cs}]+$/u', '/^.+$/su']
  ],
  'http/authentication.ts': [
    ['resolved === null || ', ''],
    ['readsTokenElsewhere || ', ''],
    ["|| authorization.includes('  ')", ''],
    ['if (!isAnswered(reply)) inContext(done)', 'if (true) inContext(done)'],
    ['!reply.sent && done(failure)', 'false']
  ],
  'conformance/client.ts': [
    ["text.replaceAll(secret, '***')", 'text', 'conformance/index.test.ts'],
    ['/[\\s;=,]+/', '/[\\s=,]+/']
  ],
  'conformance/host.ts': [
    ['userId === null', 'false'],
    ['requireLists(`totals of caller ${name}`, Object.keys(totals), lists)', '']
  ],
  'conformance/known.ts': [
    ['isDeepStrictEqual(value, expected) ||', 'value === expected ||'],
    ['total !== Number(expected)', 'total < Number(expected) - 20'],
    [".filter(([, { operator }]) => operator === '=')", '', 'conformance/lessons.test.ts']
  ],
  'conformance/list-under-test.ts': [
    [
      'String(this.fieldOf(`r.${column}`, this.listOf(viewer)))',
      'String(this.ownerField)',
      'conformance/lessons.test.ts'
    ],
    ['as RoleReach, this.list)', "as RoleReach, { owner: 'user_id' })", 'conformance/lessons.test.ts']
  ],
  'conformance/pages.ts': [
    ['shown(higher) < shown(lower)', 'false'],
    ['[last, last + 1]', '[last]'],
    ['seen === 0 && allowed.length > 0', 'seen === 0'],
    [" || tested.list.columns[column]?.rules.sortedBy !== 'item'", '', 'conformance/lessons.test.ts'],
    ['{ sort, limit: settings.maxLimit }', '{ sort }', 'conformance/lessons.test.ts']
  ],
  'conformance/reach.ts': [
    ['if (!wrong) return', 'return'],
    ['total !== Number(expected)', 'false'],
    ['if (hidden)', 'if (false)'],
    ['if (total === 0)', 'if (false)']
  ],
  'conformance/refusals.ts': [["requireHeader(answer, 'www-authenticate', 'Bearer')", '']]
}
