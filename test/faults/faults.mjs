/**
 * Small faults by the file of `src`: the text that stands once in the file, the fault in place of the text, and the test
 * that must notice the fault, if the test is not the one that mirrors the file.
 *
 * @type {Record<string, [text: string, fault: string, test?: string][]>}
 */
export const faults = {
  'listings.ts': [
    ['signals: signal ? [signal] : []', 'signals: []'],
    ['left.abort()\n', '\n'],
    ['error instanceof InvalidCall', 'error instanceof TypeError'],
    ['[parameterReader(list, settings),', '[parameterReader({ ...list, ranges: [] }, settings),'],
    ['[parameterReader(list, settings),', '[parameterReader({ ...list, filters: {} }, settings),'],
    [
      'finder.find(question, session(deadline))',
      'finder.find({ ...question, order: list.order }, session(deadline))',
      'lists/lessons.test.ts'
    ]
  ],
  'checks/catalog.ts': [
    ['if(s.sub_part is null, s.column_name, null)', 's.column_name', 'checks/indexes.test.ts'],
    ['where l.partial = 0', 'where 1 = 1', 'checks/indexes.test.ts'],
    ['i.indisvalid and ', '', 'checks/indexes.test.ts'],
    ['coalesce(nullif(t.typbasetype, 0), t.oid)', 't.oid', 'checks/columns.test.ts']
  ],
  'checks/columns.ts': [
    ['where 1 = 0`)', 'limit 0`)'],
    ["['decimal', /^float$/", "['decimal', /^floating$/"],
    ['if (labels.size < 2) return []', 'if (labels.size < 3) return []'],
    ['...differentTypes(others, dialect.name)', '']
  ],
  'checks/connection.ts': [
    ['if (isRefused(reported)) return', 'if (false) return'],
    ["'2024-07-01 12:00:00', /", "'2024-07-01 12:00:01', /"],
    ['if (answer !== null && wrong.test(answer))', 'if (answer !== right)']
  ],
  'checks/database.ts': [
    ['if (timeLeft <= 0) throw', 'if (timeLeft < -1e9) throw'],
    ["if (failure.kind === 'timeout') return undefined", ''],
    ['if (result === undefined) miss(what,', 'if (result) miss(what,'],
    ['undefined, { ref: false })', 'undefined)', 'checks/on-ready.test.ts']
  ],
  'checks/indexes.ts': [
    ['[list.order, ...Object.values(list.orders)].some', '[list.order].some'],
    ['names.length - 1))', 'names.length))'],
    ['whole.length < 60', 'whole.length < 70'],
    ['.filter((column) => !isLong(column, source))', ''],
    ['column?.catalog !== first.catalog', 'column && column.catalog !== first.catalog'],
    [
      'every(({ column }, place) => index[place] === column.toLowerCase())',
      'every(({ name }, place) => index[place] === name.toLowerCase())'
    ],
    ['[...ownColumnsOf(list), ...equal]', '[list.owner, ...equal]'],
    ["['date', 'time'].includes(kind)", "['date'].includes(kind)"],
    ['/text|blob|json/', '/text|json/'],
    ['[...new Set(longest)]', 'longest']
  ],
  'checks/known-columns.ts': [
    ['bases.length > 1 && type === undefined', 'false', 'checks/indexes.test.ts'],
    ['JSON.stringify([base.schema, base.table])', 'base.table', 'checks/indexes.test.ts']
  ],
  'checks/on-ready.ts': [
    ["if (checkOnReady === 'off' || !source)", 'if (!source)'],
    ['    isClosed = true\n', ''],
    ["'retry').unref()", "'retry')"],
    ["new Failure('unavailable', noConnection), { ref: false })", "new Failure('unavailable', noConnection))"],
    ['{ wait: time, maxLimit }', '{ wait: time }', 'checks/records.test.ts']
  ],
  'checks/records.ts': [
    ["backwards: end === 'oldest'", 'backwards: false'],
    ['take: maxLimit', 'take: 12']
  ],
  'checks/repeated.ts': [
    ['desc limit 100', 'asc limit 100'],
    ['count(distinct x.id)', 'count(x.id)'],
    [
      "['practitioners', 'practitioner_id', practitioner]",
      "['practitioners', 'practitioner_id', practitioner && owner]"
    ]
  ],
  'checks/explain.ts': [
    [
      '        const [what, example] = examples',
      "        if (list.filters[name]?.operator === 'in') continue\n        const [what, example] = examples"
    ],
    ["tablesOf(list).l ? 'linked' : 'own'", "'own'"],
    ['for (const ownColumn of ownColumnsOf(list)) await', 'for (const ownColumn of [list.owner]) await'],
    ['1267, 1270, 1271, 4078', '1267, 1270, 4078'],
    ['1267, 1270, 1271, 4078', '1267, 1270, 1271'],
    ['1267, 1270, 1271, 4078', '1267, 1271, 4078'],
    ['/^42(804|P2[12])$/', '/^42(P2[12])$/']
  ],
  'conformance/client.ts': [
    ["text.replaceAll(secret, '***')", 'text', 'conformance/index.test.ts'],
    ['/[\\s;=,]+/', '/[\\s;]+/'],
    ['/[\\s;=,]+/', '/[\\s=,]+/']
  ],
  'conformance/known.ts': [
    ["['number', 'bigint'].includes(typeof expected) && ", ''],
    ['if (total !== Number(expected)) fail', 'if (total < Number(expected) - 20) fail'],
    ['isDeepStrictEqual(value, expected) ||', 'value === expected ||'],
    [".filter(([, { operator }]) => operator === '=')", '', 'conformance/lessons.test.ts']
  ],
  'conformance/pages.ts': [
    ['shown(higher) < shown(lower)', 'false'],
    ['for (const number of [last, last + 1])', 'for (const number of [last])'],
    ['seen += total', 'seen = total'],
    ['if (seen === 0 && allowed.length > 0)', 'if (seen === 0)'],
    [
      "kind === 'text' || kind === 'enum' || kind === 'id'",
      "kind === 'enum' || kind === 'id'",
      'conformance/lessons.test.ts'
    ],
    [
      "kind === 'text' || kind === 'enum' || kind === 'id'",
      "kind === 'text' || kind === 'id'",
      'conformance/lessons.test.ts'
    ],
    ['{ sort, limit: settings.maxLimit }', '{ sort }', 'conformance/lessons.test.ts']
  ],
  'conformance/reach.ts': [['if (!wrong) return', 'return']],
  'conformance/refusals.ts': [
    ["requireHeader(answer, 'www-authenticate', 'Bearer')", ''],
    ['tested.allowed.slice(0, 1)', 'tested.callers.slice(0, 1)']
  ],
  'conformance/host.ts': [
    ['userId === undefined || userId === null', 'userId === undefined', 'conformance/index.test.ts']
  ],
  'conformance/list-under-test.ts': [
    ['as RoleReach, this.list)', "as RoleReach, { owner: 'user_id' })", 'conformance/lessons.test.ts']
  ],
  'checks/base-columns.ts': [['|| node.groupBy ||', '||']],
  'checks/index.ts': [
    ['readTablesOf(lists)), lists, { maxLimit })', 'readTablesOf(lists)), lists)', 'checks/records.test.ts']
  ],
  'checks/stored-types.ts': [["for (const of of ['users', 'practitioners'])", "for (const of of ['users'])"]],
  'database/deadline.ts': [
    ["over.removeEventListener('abort', onAbort as () => void)", ''],
    ["for (const signal of signals) signal.removeEventListener('abort', abort)", ''],
    ['    setMaxListeners(0, signal)\n', '', 'listings.test.ts'],
    ['    clearTimeout(timer)\n', '']
  ],
  'database/dialects/mysql.ts': [
    ["escape '!'`\n\nconst keyFrom", "escape '|'`\n\nconst keyFrom", 'database/dialects/index.test.ts'],
    ['sql`cast(${literalOf(key.id)} as char)`', 'boundOrLiteral(key.id)', 'expressions.test.ts'],
    ['`(${time} is null or ${id} is null)`', '`${id} is null`', 'question/each.test.ts'],
    ['ids.every((id) => formOf(id).isSafe)', 'true', 'database/dialects/index.test.ts'],
    ['${one} = ${other} and ${bytes} = ${utf8Bytes(other)}', '${one} = ${other}', 'question/queries.test.ts'],
    ['coalesce(nullif(@@max_statement_time, 0), ${seconds})', '${seconds}', 'question/look.test.ts'],
    ['and ${utf8Bytes(column)} in (${sql.join(bytes)})', '', 'database/dialects/index.test.ts'],
    ['parameters.some(hasQuote) ?', 'false ?', 'database/dialects/index.test.ts'],
    ['milliseconds < 1000 ? noSplitting', 'milliseconds < 1 ? noSplitting', 'database/dialects/index.test.ts'],
    ["await send('commit and no chain no release')", "await send('commit')", 'database/session.test.ts'],
    ['${id} ${after}= ${keyId}', '${id} ${after} ${keyId}', 'database/dialects/index.test.ts']
  ],
  'database/dialects/postgres.ts': [
    ["set_config('timezone', 'UTC', true)", "set_config('timezone', 'UTC', false)", 'database/session.test.ts'],
    ["or 'I' not ilike 'i'", '', 'question/look.test.ts'],
    ["set_config('datestyle', 'ISO', true)", "''", 'database/dialects/index.test.ts'],
    ['least(${sql.lit(milliseconds)},', '(select ${sql.lit(milliseconds)} +', 'database/session.test.ts'],
    [
      'contains: (column, pattern) => like(text(column), pattern)',
      'contains: (column, pattern) => like(column, pattern)',
      'database/dialects/index.test.ts'
    ],
    ["'<=' : '>='", "'<' : '>'", 'database/dialects/index.test.ts']
  ],
  'database/dialects/sqlite.ts': [
    ["2 * day).replace(/^\\+.*/, ':')", '2 * day)', 'database/dialects/index.test.ts'],
    ['value.form.isNumber ?', 'false ?', 'database/dialects/index.test.ts'],
    ['+ 2 * day)', '+ day)', 'database/dialects/index.test.ts'],
    ['Z`) - day)', 'Z`))', 'database/dialects/index.test.ts'],
    ["'<=' : '>='", "'<' : '>'", 'database/dialects/index.test.ts']
  ],
  'database/cells.ts': [
    ["Buffer.from(cell, 'latin1')", "Buffer.from(cell, 'utf8')", 'database/dialects/index.test.ts'],
    ["\n  '1e3',", '', 'question/look.test.ts']
  ],
  'database/session.ts': [
    ['if (milliseconds <= 0) throw', 'if (milliseconds < 0) throw'],
    ['if (!snapshot || isSnapshot) return work', 'if (!snapshot) return work'],
    ['if (rows.length === 0 && performance.now() >= endsAt) throw', 'if (false) throw']
  ],
  'database/fixed-table.ts': [
    [
      '    Object.values(others).every((part) => part === undefined)\n',
      '    others !== undefined\n',
      'database/source.test.ts'
    ],
    ['    needed.every((name) => renamed.has(name)) &&\n', '', 'database/source.test.ts'],
    ['    !renamed.has(name) && selections', '    selections', 'question/find-planned.test.ts']
  ],
  'database/migrations.ts': [['column.notNull().modifyEnd(sql`collate utf8mb4_bin`)', 'column.notNull()']],
  'errors/callbacks.ts': [['result.then(undefined, () => undefined)', 'result', 'errors/failure.test.ts']],
  'errors/classify.ts': [
    ['if (missing && !callback)', 'if (missing)', 'errors/failure.test.ts'],
    ['all.map(missingIn).find(Boolean)', 'missingIn(reported)', 'errors/failure.test.ts'],
    ['callback && all.every(({ isPlain }) => isPlain)', 'callback', 'errors/failure.test.ts'],
    ['if (!callback && isRefused(reported))', 'if (isRefused(reported))', 'errors/failure.test.ts'],
    ['if (isTimedOut(reported)) return', 'if (false) return', 'errors/failure.test.ts']
  ],
  'errors/describe.ts': [['/^[a-z_$]\\w{0,31}$/i.test(name)', 'true']],
  'errors/driver-errors.ts': [
    ['/[<>]= (numeric|bigint)$/', '/^no such error$/', 'question/filters.test.ts'],
    ['1041, 1053, ', '1041, '],
    ['25P0[34]', '25P0[3]'],
    ['(isAway(reported) || reported.isFatal)', 'isAway(reported)'],
    ['(reported.isFatal && /^(0A|22|28|3D|42)/.test(reported.code)) ||', ''],
    ['08P01|XX000', '08P01'],
    ["reported.name === 'TimeoutError'", 'false'],
    ["&& code !== 'FAST_JWT_KEY_FETCHING_ERROR'", '', 'errors/failure.test.ts']
  ],
  'errors/error-details.ts': [
    ['depth === 5 ?', 'depth === 1 ?', 'errors/failure.test.ts'],
    ['stack.slice(start + message.length)', 'stack', 'errors/failure.test.ts']
  ],
  'http/error-answers.ts': [
    ["name !== 'retry-after' || !reply.hasHeader(name)", 'true'],
    ["request.method === 'HEAD' ? undefined : body", 'body'],
    ["'cache-control': noStore,", ''],
    ['if (reply.raw.headersSent) return', '', 'http/exchange.test.ts'],
    ['ofBody.filter((name) => reply.hasHeader(name))', '[] as string[]']
  ],
  'http/caller.ts': [
    ['!Object.hasOwn(roles, role)', 'true'],
    ["typeof userId === 'bigint'", 'false'],
    ['if (!isAnswered(reply)) inContext(done)', 'if (true) inContext(done)'],
    ['!reply.sent && done(failure)', 'false'],
    ['/^[^\\p{Cc}\\p{Cs}]+$/u', '/^.+$/su'],
    ["|| authorization.includes('  ')", ''],
    ['logged.size === 100', 'logged.size === 101'],
    ['if (hint) log.warn', 'if (false) log.warn', 'plugin.test.ts'],
    ["typeof reach === 'object' && otherRoles !== 'none' && ", "typeof reach === 'object' && "],
    ['new Set(lists.flatMap(({ roles }) => Object.keys(roles)))', 'new Set(Object.keys(lists[0]?.roles ?? {}))']
  ],
  'http/database-of.ts': [['sources.set(database, source)', '']],
  'http/exchange.ts': [
    ['if (!isAnswered(reply)) return result', 'return result'],
    ['if (connection.destroyed) return undefined', '', 'http/disconnect.test.ts'],
    ['(raw as { stream?: Connection }).stream ??', '', 'http/disconnect.test.ts'],
    ['    this.#forgetConnection()\n', '', 'http/disconnect.test.ts'],
    ['if (this.#deadline.timeLeft() > 0) this.waitingFor', 'this.waitingFor', 'http/exchange-deadline.test.ts'],
    ["if (this.waitingFor === 'hook') this.#deadline.close()", 'if (true) this.#deadline.close()']
  ],
  'http/openapi.ts': [
    ['let number = 2; used.has(unique)', 'let number = 3; used.has(unique)'],
    ['(pages.get(name) ?? { item }).item !== item', 'false']
  ],
  'http/query-string.ts': [
    ["query.replaceAll('+', ' ')", 'query'],
    ['/[^!-~]|#/', '/#/'],
    ['/[?;#]/', '/[?#]/']
  ],
  'http/request-log.ts': [
    ['{ url, originalUrl: url, query: {}, raw }', '{ url, query: {}, raw }'],
    ['/^(page|limit)=\\d{1,16}$/', '/^(page|limit)=/'],
    [".replace(/^([a-z]+:\\/\\/)[^/]*@/i, '$1***@')", ''],
    ['if (logger[serializers]?.req === req) return', ''],
    ['if (!isUsed) app.log.warn', 'app.log.warn'],
    ['{ url, originalUrl: url }', '{ url }']
  ],
  'http/timing.ts': [['durations[step] = (durations[step] ?? 0) + milliseconds', 'durations[step] = milliseconds']],
  'lists/columns.ts': [
    ['Buffer.compare(Buffer.from(a), Buffer.from(b))', '(a < b ? -1 : 1)'],
    ['/^-?\\d+(\\.0*)?$/', '/^-?\\d+(\\.\\d*)?$/'],
    ["if (value !== null || whenNull === 'null') return value", 'if (value !== null) return value'],
    ['/[$(-+.?[-^{-}]/g', '/[$(-+?[-^{-}]/g']
  ],
  'lists/list.ts': [
    ['(search.users.length > 0 || joins.u)', 'joins.u', 'lists/list.test.ts'],
    ['Object.hasOwn(list.roles, role) && list.roles[role]', 'list.roles[role]', 'lists/list.test.ts'],
    ['[...Object.values(roles), otherRoles].includes', 'Object.values(roles).includes', 'lists/list.test.ts'],
    ['[...Object.values(roles), otherRoles].flatMap', 'Object.values(roles).flatMap', 'lists/list.test.ts']
  ],
  'options/messages.ts': [['Object.hasOwn(values, name) ?', 'name in values ?']],
  'options/validate.ts': [
    ['entry === undefined ? undefined : validate(entry, name)', 'validate(entry, name)', 'options/settings.test.ts']
  ],
  'options/rules.ts': [
    ['Number(value) < 2 ** 31', 'Number(value) <= 2 ** 31', 'options/settings.test.ts'],
    ['if (isTransaction === true) return', 'if (false) return', 'options/settings.test.ts'],
    ['words.some((word) => word === value)', 'words.includes(String(value))', 'options/settings.test.ts'],
    ["['name', 'path', 'operationId']", "['name', 'path']", 'options/settings.test.ts'],
    ["['name', 'path', 'operationId']", "['name', 'operationId']", 'options/settings.test.ts'],
    ['list.name === name && list.columns[own]', 'list.columns[own]', 'options/settings.test.ts']
  ],
  'options/settings.ts': [
    ['.filter(([, reach]) => reach !== undefined)', ''],
    ['Math.min(defaultLimits.defaultLimit, maxLimit)', 'defaultPaging.defaultLimit'],
    ['.filter((role) => !ofLists.includes(role))', '']
  ],
  'options/tables.ts': [
    ['return { ...tables }', 'return tables', 'http/database-of.test.ts'],
    ['isSelectQueryBuilder === true && ', '', 'options/settings.test.ts']
  ],
  'question/call.ts': [
    ['value.length === 0', 'false', 'listings.test.ts'],
    ['/\\p{Cs}/u.test(pair.join())', 'false', 'listings.test.ts'],
    ['.filter((each) => each !== undefined)', '', 'listings.test.ts']
  ],
  'question/each.ts': [
    ['if (before.ids.has(ids[place])) continue', ''],
    ['if (signals.some(({ aborted }) => aborted)) throw callAborted()', '', 'listings.test.ts'],
    ["from: 'unreachable' })", 'from: before.key })'],
    ['if (!before.key) return', 'return']
  ],
  'question/filters.ts': [
    ["whenNull === 'error' ? inRange", 'true ? inRange'],
    ["[[same(compared, parameterOf(''))], ", '[[], ', 'lists/lessons.test.ts'],
    ["kind === 'date' || kind === 'time' ? isZero", "kind === 'date' ? isZero"],
    ["['0000%', '____-00%', '_______-00%']", "['0000%', '____-00%']"],
    ["['0000%', '____-00%', '_______-00%']", "['0000%', '_______-00%']"]
  ],
  'question/find.ts': [
    ['found >= page.limit || rows', 'rows', 'question/each.test.ts'],
    ['rows < page.limit ? undefined', 'items.length < page.limit ? undefined', 'question/each.test.ts'],
    ['rows < page.limit ? undefined', 'rows <= page.limit ? undefined', 'question/each.test.ts']
  ],
  'question/items.ts': [
    ['if (found === 0 && page.page > 1) return undefined', ''],
    ['Math.max(total, offsetOf(page) + items.length)', 'total'],
    ['found: items.length + gone', 'found: items.length']
  ],
  'question/parameters.ts': [
    ["else refuse('parameterRepeated', { name })", 'else before.push(text)'],
    ['texts.length > maxValues', 'texts.length > maxValues + 1', 'lists/lessons.test.ts'],
    ["text && call('term'", "call('term'"],
    ['term.length <= maxTermLength && ', ''],
    ['[...text].length > maxLength', 'true'],
    ['.slice(0, 64)', '.slice(0, 65)'],
    ['const { sort: _sort, ...unpaged } = list.parameters', 'const unpaged = list.parameters'],
    ['given[from] && given[to] && ', '']
  ],
  'question/queries.ts': [
    ['const [sorted, last] = isText ?', 'const [sorted, last] = false ?', 'question/find-planned.test.ts'],
    [', ${last} ${towards} limit', ' limit'],
    ['k.sort_key ${direction}, k.id ${direction} ${everyRow}', 'k.sort_key ${direction}, k.id ${direction}'],
    ["['text', 'enum'].includes", "['text'].includes", 'question/find-planned.test.ts']
  ],
  'question/question.ts': [
    ['(page - 1) * limit', 'page * limit - 1'],
    ['rest < skip ?', 'rest <= skip ?'],
    ["snapshot.isFree || (reach === 'all' && page.page > 1)", "snapshot.isFree || reach === 'all'"]
  ],
  'question/search.ts': [
    ['[anyOf(search.records), ...filtered]', '[anyOf(search.records)]'],
    ['term.replace(/[!%_]/g', 'term.replace(/[%_]/g']
  ],
  'question/statements.ts': [
    ['span.backwards, plan, withTotal, isBatch]', 'span.backwards, plan, isBatch]'],
    ['plan, withTotal, isBatch]', 'plan, withTotal]', 'question/find.test.ts']
  ],
  'plugin.ts': [
    ['(options as { logSerializers?: LogSerializers }).logSerializers', 'undefined', 'http/request-log.test.ts']
  ]
}
