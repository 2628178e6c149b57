/**
 * Small faults in what decides whose records a caller sees, in what makes a comparison exact, and in the conformance kit:
 * the text that stands once in the file, the fault in place of the text, and the test that must notice the fault, if the
 * test is not the one that mirrors the file.
 *
 * @type {Record<string, [text: string, fault: string, test?: string][]>}
 */
export const faults = {
  'question/answers/batch.ts': [
    ['(await readOne({ ...first(1), most: 1, after: end })).keys[0]', 'end', 'question/answers/after.test.ts']
  ],
  'question/sql/united-grants.ts': [
    ['), ...withinConditions(asked, fitted)]', ')]', 'visibility/partial-columns.test.ts'],
    ['select ${ids(linked)} from', "select ${ids('l.owner_id')} from"],
    ['where ${isCaller(own, asked.callerId)}', 'where 1 = 0'],
    ['if (isLinked(reach)) {', 'if (!isOwn(reach)) {'],
    ["isById || (sortsWhole && use === 'page')", 'isById'],
    ["(sortsWhole && use === 'page')", 'sortsWhole'],
    ['if (asked.id) {', 'if (false) {', 'question/answers/record.test.ts'],
    ['[...conditions, isReached(reach)]', 'conditions', 'question/answers/record.test.ts'],
    ['[...conditionsOf(grant), ...conditions]', 'conditionsOf(grant)'],
    ['[...conditionsOf(grant), ...conditions]', 'conditions'],
    ['\n          union\n', '\n          union all\n', 'question/answers/page.test.ts'],
    ['${bytes ? sql`, ${bytes} as bytes` : nothing}', ''],
    ["isSelected('user_id', identity(record, linked))", 'sql`v.user_id = r.user_id`']
  ],
  'question/sql/conditions.ts': [
    [', sql`1 = 0`)', ', sql`1 = 1`)'],
    ['joined(conditions, sql` or `', 'joined(conditions, sql` and `'],
    ["whenNull === 'error' ? alwaysPresent() : presence()", 'alwaysPresent()']
  ],
  'question/fitted/fitted-sql.ts': [
    ['isExactId(path) && id.form.isWhole', 'isExactId(path)', 'question/sql/united-grants.test.ts'],
    ['isExactId(path) && id.form.isWhole', 'id.form.isWhole', 'question/sql/united-grants.test.ts'],
    ['compared[rung.caller]', 'compared.usual'],
    ['isExactId(path) && !id.form.isExactId ?', 'false ?', 'question/answers/record.test.ts'],
    ['...compared[rung.texts]', '...compared.usual'],
    ["caller: 'usual', key: 'slower' },", "caller: 'slower', key: 'slower' },"],
    ['(isExact(path, ...others) ?', '(isExact(path) ?', 'question/sql/united-grants.test.ts'],
    ['isExact(one, other)', 'isExact(one)']
  ],
  'question/fitted/known-tables.ts': [['ofTables.delete(tables)', '']],
  'checks/indexes.ts': [
    ['=== column.toLowerCase()', '=== column'],
    ['next.column.toLowerCase()', 'next.column']
  ],
  'http/exchange.ts': [['reply.statusCode >= 300', 'reply.statusCode >= 400']],
  'kinds/texts.ts': [
    ['.toUpperCase().trimEnd()', '.toUpperCase()', 'lists/mistakes/shape.test.ts'],
    ['{ same }) => same(column, value)', '{ equals }) => equals(column, value)'],
    ['(isNeverEmpty ? alwaysPresent()', '(!isNeverEmpty ? alwaysPresent()', 'question/sql/conditions.test.ts']
  ],
  'kinds/times.ts': [
    ['  presence,\n', '  presence: () => ({ none: [], some: [] }),\n', 'question/sql/conditions.test.ts'],
    ["operator === '<' ? changed(value, afterDay) : value", 'value', 'lists/lessons.test.ts'],
    ["'0000%', '____-00%', ", "'0000%', ", 'question/sql/conditions.test.ts']
  ],
  'question/sql/page.ts': [
    ['case when cast(${span.skip} as bigint) > 0 then 0 end', 'null', 'question/direct.test.ts'],
    ['${shape.after ? sql`true` : isFull}', '${isFull}', 'question/direct.test.ts'],
    ['return grants ? sql`case', 'return false ? sql`case', 'visibility/partial-columns.test.ts'],
    ['isReached(grants)', 'isReached(shape.reach)', 'conformance/role-field-checks.test.ts'],
    ["['page', span.backwards, plan,", "['page', plan,", 'question/sql/statement-cache.test.ts'],
    [
      'plan, windowTotal, numbers, after, most',
      'plan, windowTotal, after, most',
      'question/sql/statement-cache.test.ts'
    ],
    ['most !== undefined, isTied]', 'most !== undefined]', 'question/sql/ties.test.ts']
  ],
  'question/sql/records.ts': [
    ['...comparedConditions(shape, fitted), ...place]', '...place]', 'question/sql/conditions.test.ts']
  ],
  'question/sql/ties.ts': [
    ['${id} = k.id_before)${place}', '${id} = k.id_before)'],
    ['(${sorting} = k.sort_before and ${id} = k.id_before)', '(1 = 0)'],
    ['most !== undefined && (isTied || !fitted.sortsWhole) && isAlike', 'false && isAlike']
  ],
  'question/direct.ts': [
    ['if (whole.limitUnder(readCell(rows[0]?.[wholeCells.settings])) > timeout) throw wrongSettings', ''],
    ['pauses.set(tables, performance.now() + directPause)', '']
  ],
  'question/find.ts': [['whole && !canMove(question)', 'whole', 'question/direct.test.ts']],
  'database/dialects/postgres.ts': [
    ['postgres\\|hex', 'postgres\\|\\w+', 'question/direct.test.ts'],
    ['/^off', '/^\\w+', 'question/direct.test.ts'],
    ['Number(limit) || Number.POSITIVE_INFINITY', 'Number(limit)', 'question/direct.test.ts']
  ],
  'question/sql/items.ts': [
    ["size === '0' ? [] : read", 'read', 'question/direct.test.ts'],
    ['!flag || readCell(rows[0][flag]) !== null', 'true', 'visibility/partial-columns.test.ts'],
    ['!flag || readCell(rows[0][flag]) !== null', 'true', 'conformance/role-field-checks.test.ts']
  ],
  'visibility/partial-columns.ts': [
    ['!hiddenColumns(list, hides).includes(path)', 'true', 'question/sql/visibility.test.ts'],
    ['.map((path) => [path])', '.map((): Path[] => [])', 'question/sql/visibility.test.ts'],
    ['searched.length > 0 ? [searched] : []', '[]'],
    ['...searched, ...(read', '...(read', 'question/sql/visibility.test.ts'],
    ['[...list.search.records, ...list.search.users]', '[...list.search.records]', 'question/sql/visibility.test.ts'],
    ['...compared, ...searched', '...searched', 'question/sql/visibility.test.ts'],
    ['...(read ? [read] : [])]', ']'],
    ['...(found ? [found] : [])]', ']'],
    ['!reach.every((grant) => isWithin(grant, by))', 'false'],
    ['granted(grants, reading, { reach })', 'granted(grants, reading)', 'question/sql/visibility.test.ts'],
    ['{ column: list.id, direction }', "{ column: list.id, direction: 'asc' }", 'question/answers/read.test.ts'],
    ['!rest.limited?.[path] && ', '', 'question/answers/read.test.ts'],
    [".whenNull === 'error' && !isLast", ' && !isLast', 'question/answers/read.test.ts'],
    ['const isLast = after?.value === null', 'const isLast = false', 'question/answers/read.test.ts'],
    ['if (isEverything(by)) continue', 'if (by.length > 0) continue']
  ],
  'question/sql/visibility.ts': [
    ['...standingOf(shape, fitted, compared).flatMap(({ conditions }) => conditions),', ''],
    ['...(part ? partConditions(shape, part, fitted) : [])', '', 'question/answers/read.test.ts'],
    ['...withinConditions(shape, fitted),', '', 'visibility/partial-columns.test.ts'],
    [
      '[isCaller(`r.${name}`, idOf(callerId))]',
      '[isCaller(`r.${fitted.list.owner}`, idOf(callerId))]',
      'question/sql/united-grants.test.ts'
    ],
    ['isCaller(`${linkAlias(by)}.owner_id`, idOf(name))', 'sql`1 = 1`', 'question/sql/united-grants.test.ts'],
    ['(name === undefined ? callerId : ', '(true ? callerId : ', 'visibility/partial-columns.test.ts'],
    [', ...whereConditions(grant, fitted)]', ']', 'visibility/partial-columns.test.ts'],
    [', ...whereConditions(grant, fitted)]', ']', 'conformance/expected-reach.test.ts'],
    [
      'isOne ? ofUsers({ ...search, areFew: true, isScan: false, hasIndex: true }) : ',
      '',
      'question/answers/record.test.ts'
    ],
    ['identity(`r.${name}`, linkedId(by))', '[fitted.column(`r.${name}`)]', 'question/sql/united-grants.test.ts'],
    ["parameterOf('false')", "parameterOf('true')", 'question/sql/visibility.test.ts'],
    ['isCaller(`r.${column}`, ids[name] as Parameter)', 'sql`1 = 1`', 'visibility/partial-columns.test.ts'],
    ['isCaller(`r.${column}`, ids[name] as Parameter)', 'sql`1 = 1`', 'conformance/expected-reach.test.ts'],
    ["by ? JSON.stringify(by) : ''", "''"],
    ['by ? [isReached(by)] : []', '[]'],
    ['isNeverNull ? [] : [', 'false ? [] : [', 'question/answers/read.test.ts'],
    ["presence('true'), ...stands", "presence('true')", 'question/answers/read.test.ts'],
    ["presence('true'), ...stands", 'stands', 'question/answers/read.test.ts'],
    ['case when ${is} then 0 else 1 end = 1', 'not ${is}', 'question/answers/read.test.ts']
  ],
  'question/sql/search.ts': [
    ['allOf([matches(paths), ...conditions])', 'matches(paths)', 'question/sql/visibility.test.ts']
  ],
  'question/answers/read.ts': [
    ['isInRest ? [] : ', ''],
    ['after: isInRest ? key : undefined', 'from: key'],
    ['isRest ? { ...page', 'isRest && false ? { ...page'],
    ['span.backwards ? parts.toReversed() : parts', 'parts'],
    ['span.backwards ? [others, one] : [one, others]', '[one, others]'],
    ['two.items.filter((item) => !ids.has(idOf(item)))', 'two.items'],
    ['last && one.rows >= span.take && ', 'last && false && '],
    ['found > 0 || span.skip === 0 ?', 'true ?'],
    ['span.skip - before', 'span.skip'],
    ['span.take - found }', 'span.take }'],
    ['most === undefined ? most : most - found', 'most'],
    ['beside: undefined', 'beside: options.beside'],
    ['return page.isTied ?', 'return false ?', 'question/sql/ties.test.ts'],
    ['ofPart, milliseconds)', 'ofPart)', 'question/answers/planned-page.test.ts']
  ],
  'visibility/allowed-parameters.ts': [
    ['JSON.stringify([never, always])', 'JSON.stringify([always])'],
    ['JSON.stringify([never, always])', 'JSON.stringify([never])', 'visibility/partial-columns.test.ts'],
    ['grant ? [grant.hides ?? []] : []', '[grant?.hides ?? []]'],
    ['kept(list.orders, isAsked)', 'list.orders']
  ],
  'question/sql/counts.ts': [
    ['const { [name]: _own, ...filters } = shape.filters', 'const { filters } = shape'],
    ["filter.operator === 'has'", 'true'],
    [
      '{ ...shape, reach, limited, order, filters }',
      '{ ...shape, limited, order, filters }',
      'question/sql/visibility.test.ts'
    ],
    [
      '{ ...shape, reach, limited, order, filters }',
      '{ ...shape, reach, order, filters }',
      'question/sql/visibility.test.ts'
    ]
  ],
  'question/sql/order.ts': [
    ['if (isExact(`r.${list.id}`)) return [isFrom(true)]', 'return [isFrom(true)]'],
    [' or ${compareBytes(bytes(id), afterOf(order), key.id)})', ')'],
    ['isFrom(false), isSorted', 'isFrom(true), isSorted'],
    ['isAfter ? after : `${after}=`', 'after'],
    ['[fitted.isId(`r.${list.id}`, only)]', '[]']
  ],
  'question/asked/check-parameters.ts': [['[...new Set(texts)].filter', 'texts.filter']],
  'question/asked/next.ts': [
    ['textOf(list, order, { value, id }) === text', 'true'],
    [' && !isSame ?', ' ?'],
    ['isText(key.value) && ', ''],
    ['next.length <= maxPositionLength && ', ''],
    ['value === null && canLack(list, order)', 'time === null']
  ],
  'question/asked/question.ts': [
    [
      "callerId: of('caller', caller.userId)",
      'callerId: parameterOf(caller.userId)',
      'question/sql/statement-cache.test.ts'
    ],
    ['list: undefined, filters }', 'list: undefined, filters, callerId: 0 }', 'question/sql/statement-cache.test.ts'],
    ['list: undefined, filters }', 'list: undefined, filters: 0 }', 'question/sql/statement-cache.test.ts'],
    ['[name, values[0], values.length]', '[name, values[0]]', 'question/sql/statement-cache.test.ts'],
    ['list: undefined, filters }', 'list: undefined, filters, after: 0 }', 'question/sql/statement-cache.test.ts'],
    ['list: undefined, filters }', 'list: undefined, filters, reach: 0 }', 'question/sql/statement-cache.test.ts'],
    [
      'parameter(text, form, `filter ${name} ${place}`)',
      'parameter(text, form, name)',
      'question/sql/conditions.test.ts'
    ]
  ],
  'question/sql/statement-cache.ts': [
    ['slotFor(name, form)', 'parameterOf(text, form)'],
    ['`${fitted.number} ${keyOfShape(shape)}`', 'keyOfShape(shape)', 'lists/lessons.test.ts'],
    ['`${fitted.number} ${keyOfShape(shape)}`', '`${fitted.number}`'],
    ['users?.length || records?.length ? undefined :', 'false ? undefined :'],
    ['[...parts, users?.length, records?.length]', 'parts']
  ],
  'database/cancel.ts': [
    ["if (method === 'killSession' && !isLate) await", 'if (false) await'],
    ['if (!isControlled && !isLate) return false', ''],
    ['return isControlled || isLate', 'return true']
  ],
  'database/parameter.ts': [
    ['/^(0|[1-9]\\d{0,14})$/', '/^\\d{1,15}$/', 'question/sql/united-grants.test.ts'],
    ['/^(0|[1-9]\\d{0,14})$/', '/^(0|[1-9]\\d{0,14})/', 'question/sql/united-grants.test.ts'],
    ['/^[\\w%!@.+: -]*$/', '/^.*$/s']
  ],
  'database/source.ts': [
    ['last && isDeepStrictEqual(nodes, last.nodes)', 'last', 'options/request-database.test.ts'],
    ['steadyPlugins.includes(plugin.constructor)', 'true', 'options/request-database.test.ts'],
    ['used.join()', "''"],
    ['db.withoutPlugins()', 'db'],
    ["column === 'practitioner_id' ? 'user_id' : column", 'column']
  ],
  'database/fixed-table.ts': [
    ['Object.values(others).every((part) => part === undefined)', 'true'],
    ['needed.every((name) => renamed.has(name)) &&', '']
  ],
  'visibility/hidden-fields.ts': [
    ['hides.every((hidden)', 'hides.some((hidden)', 'question/sql/visibility.test.ts'],
    ['.every((reader) => reader !== role)', '.some((reader) => reader !== role)'],
    ['.filter((column) => !shown.includes(column))', ''],
    ['hides.includes(name) ? [] : columnOf(name)', 'columnOf(name)']
  ],
  'visibility/tenant-id.ts': [['missing === undefined', 'true']],
  'visibility/reach-of-role.ts': [
    ['if (!grants) throw', 'if (false) throw', 'visibility/tenant-id.test.ts'],
    ['requireTenantId(list, caller)', '', 'visibility/tenant-id.test.ts'],
    ['roles.length > 0 ? roles : [undefined]', 'roles', 'visibility/caller.test.ts'],
    ['Object.hasOwn(list.roles, role) && ', ''],
    ['column = own ?? linked', "column = own && 'user_id'", 'question/sql/united-grants.test.ts']
  ],
  'visibility/grant.ts': [
    ["records === '{}' || ", ''],
    [' || records === recordsOf(grant)', ''],
    ['callerId === undefined || Object.hasOwn(ids, callerId)', 'true', 'visibility/partial-columns.test.ts'],
    ['(one.hides ?? []).every((name) => other.hides?.includes(name))', 'true', 'visibility/partial-columns.test.ts']
  ],
  'visibility/caller.ts': [
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
    ['heldBy(callerOf(caller), reachOf(given, list))', 'reachOf(given, list)'],
    ['requireLists(`totals of caller ${name}`, totals, lists)', '']
  ],
  'conformance/role-field-checks.ts': [
    ['if (is === Object.hasOwn(item, name)) continue', 'continue'],
    ['if (is === undefined) continue', 'if (!is) continue'],
    ['[...records.filter(isHidden), ...records]', '([] as SeenRecord[])'],
    ['found.find(isHidden)', '[].at(0) as SeenItem | undefined'],
    ['isTold ||= showing.length > 0', 'isTold = true'],
    ['return isTold\n', 'return true\n'],
    ['found.some(({ id }) => id === most.id)', 'true'],
    ['total > found.length', 'false'],
    ["cell === '' || cell === null", 'false']
  ],
  'conformance/known-record-checks.ts': [
    ['isDeepStrictEqual(value, expected) ||', 'value === expected ||'],
    ['total !== Number(expected)', 'total < Number(expected) - 20'],
    [".filter(([, { operator }]) => operator === '=')", '', 'conformance/lessons.test.ts'],
    ['value === undefined && viewer', 'false && viewer']
  ],
  'conformance/expected-reach.ts': [
    ['by === undefined ? [id] : linked[by]', "[caller.userId, '']"],
    ['isOneOf(column, by === undefined', 'isOneOf(String(list.owner), by === undefined', 'conformance/lessons.test.ts'],
    ['return hasId && where.every(([name, values]) => isOneOf(name, values))', 'return hasId'],
    ['tenantOf(each) === tenantOf(other)', 'true'],
    ['.filter(([column]) => cellOf(column) !== undefined)', ''],
    ['showing === viewer ? Object.keys(viewer.view.within) : []', '[] as string[]'],
    ['{ ...items.get(seen.id), ...seen.item }', '{ ...seen.item }'],
    ['!isKnown || ', ''],
    ['columns.some((column) => cellOf(column) === undefined)', 'false']
  ],
  'conformance/viewer.ts': [
    ['heldBy(this.caller, ', '((_: unknown, grants: Grants) => grants)(0, ', 'conformance/expected-reach.test.ts'],
    ['as RoleReach, list)', "as RoleReach, { owner: 'user_id' })", 'conformance/lessons.test.ts']
  ],
  'conformance/page-checks.ts': [
    ['value < before.value : before.value < value', 'false : false'],
    ['if (before.hasNone)', 'if (false)', 'conformance/role-field-checks.test.ts'],
    ['!before || hasNone', '!before', 'conformance/role-field-checks.test.ts'],
    ['[last, last + 1]', '[last]'],
    ['total !== first.total', 'total > first.total', 'conformance/lessons.test.ts'],
    ['seen === 0 && viewers.length > 0', 'seen === 0'],
    ["rules.sortedBy === 'item' && ", '', 'conformance/lessons.test.ts'],
    ['{ sort, limit: viewer.maxLimit }', '{ sort }', 'conformance/lessons.test.ts']
  ],
  'conformance/reach-checks.ts': [
    ['if (wrong) failOutside', 'if (false) failOutside'],
    ['total !== Number(expected)', 'false'],
    ['if (hidden)', 'if (false)'],
    ['if (total === 0)', 'if (false)']
  ],
  'conformance/refusal-checks.ts': [
    ["requireHeader(answer, 'www-authenticate', 'Bearer')", ''],
    ['!seeing.includes(each)', 'false'],
    ['const paths = record ?', 'const paths = false ?']
  ]
}
