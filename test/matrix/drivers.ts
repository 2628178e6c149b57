/**
 * The settings that a host's driver, session or Kysely may have, and that must change no byte of an
 * answer. "It must also work with X" is one more entry: each one is tried alone and with every other.
 */
import { CamelCasePlugin, ParseJSONResultsPlugin } from 'kysely'
import type { PoolOptions } from 'mysql2'
import { conversions, converting } from '../support/oracle/conversions.js'
import type { Db } from '../support/servers/databases.js'
import { tenantPlugin } from './driver-data.js'

export interface Setting {
  readonly group: 'pool' | 'sqlMode' | 'charset' | 'timeZone' | 'session' | 'plugin'
  readonly name: string
  /** mysql2's pool settings. */
  readonly pool?: PoolOptions
  /** A statement that each new connection begins with. */
  readonly session?: string
  /** The host's Kysely instance, given one without plugins; its tables are in this schema. */
  readonly plugin?: (db: Db, schema: string) => Db
  /** Cannot work: what the operator is told then. */
  readonly refused?: RegExp
  /** Not every server knows it. */
  readonly only?: 'MariaDB' | 'MySQL'
}

const pool: Record<string, PoolOptions & Pick<Setting, 'refused'>> = {
  dateStrings: { dateStrings: true },
  'dateStrings of one type': { dateStrings: ['TIMESTAMP'] },
  'timezone +07:00': { timezone: '+07:00' },
  'timezone Z': { timezone: 'Z' },
  supportBigNumbers: { supportBigNumbers: true },
  bigNumberStrings: { supportBigNumbers: true, bigNumberStrings: true },
  decimalNumbers: { decimalNumbers: true },
  'no typeCast': { typeCast: false },
  'typeCast of flags': {
    typeCast: (field, next) => (field.type === 'TINY' && field.length === 1 ? field.string() === '1' : next())
  },
  'typeCast by field.string()': { typeCast: (field) => field.string() },
  'typeCast by field.buffer()': { typeCast: (field) => field.buffer() },
  'typeCast to BigInt': {
    typeCast: (field, next) => (field.type === 'LONGLONG' ? BigInt(field.string() ?? 0) : next())
  },
  'typeCast by the names of columns': {
    typeCast: (field, next) => (/id$|amount|total/i.test(field.name) ? Number(field.string()) : next())
  },
  'typeCast to numbers of numeric text': { ...converting(conversions['numbers of numeric text']), refused: /typeCast/ },
  'typeCast to JSON of JSON text': { ...converting(conversions['JSON.parse']), refused: /typeCast/ },
  'typeCast by trim': { ...converting(conversions.trim), refused: /typeCast/ },
  'typeCast that throws': { typeCast: (field) => JSON.parse(String(field.string())), refused: /typeCast/ },
  jsonStrings: { jsonStrings: true },
  rowsAsArray: { rowsAsArray: true, refused: /rowsAsArray/ },
  nestTables: { nestTables: true, refused: /nestTables/ },
  'nestTables with _': { nestTables: '_', refused: /nestTables/ },
  multipleStatements: { multipleStatements: true },
  namedPlaceholders: { namedPlaceholders: true },
  stringifyObjects: { stringifyObjects: true },
  'without flags': { flags: ['-FOUND_ROWS', '-IGNORE_SPACE', '-SESSION_TRACK'] },
  'no enableKeepAlive': { enableKeepAlive: false },
  'one connection': { connectionLimit: 1 },
  'maxIdle 0': { maxIdle: 0, idleTimeout: 1 },
  maxPreparedStatements: { maxPreparedStatements: 1 },
  resetOnRelease: { resetOnRelease: true },
  compress: { compress: true },
  // rows are read by other code then, as where `eval` is forbidden
  disableEval: { disableEval: true }
}

type Limits = Pick<Setting, 'only' | 'refused'>

/** Added to the session's own ones, but for the first, which empties them. */
const sqlModes: Record<string, Limits> = {
  '': {},
  NO_BACKSLASH_ESCAPES: {},
  ANSI_QUOTES: {},
  'STRICT_ALL_TABLES,ONLY_FULL_GROUP_BY': {},
  PIPES_AS_CONCAT: {},
  TRADITIONAL: {},
  PAD_CHAR_TO_FULL_LENGTH: { refused: /PAD_CHAR_TO_FULL_LENGTH/ },
  'HIGH_NOT_PRECEDENCE,IGNORE_SPACE,REAL_AS_FLOAT': {},
  EMPTY_STRING_IS_NULL: { only: 'MariaDB' },
  ORACLE: { only: 'MariaDB' },
  TIME_TRUNCATE_FRACTIONAL: { only: 'MySQL' }
}

/** As mysql2 calls them. */
const charsets = [
  ...['utf8mb4_bin', 'utf8_general_ci', 'latin1_swedish_ci', 'big5_chinese_ci', 'gbk_chinese_ci', 'cp1251_general_ci'],
  ...['sjis_japanese_ci', 'gb18030_chinese_ci']
]

/** Said by the session alone, so that mysql2 does not know. */
const sessionCharsets = ['set names latin1', 'set names gbk', 'set names binary', 'set character_set_results = null']

/** What else a host may begin its sessions with. */
const sessions: Record<string, Limits> = {
  'set sql_select_limit = 1': {},
  'set group_concat_max_len = 4': {},
  'set autocommit = 0': { refused: /autocommit/ },
  'set max_sort_length = 64': {},
  'set div_precision_increment = 0': {},
  'set div_precision_increment = 30': {},
  'set big_tables = 1': {},
  'set sql_safe_updates = 1': {},
  'set sql_auto_is_null = 1': {},
  'set session transaction isolation level read uncommitted': {},
  'set session transaction isolation level serializable': {},
  "set lc_time_names = 'de_DE'": {},
  "set optimizer_switch = 'derived_merge=off,index_merge=off'": {},
  'set character_set_connection = latin1': {},
  'set collation_connection = utf8mb4_bin': {},
  'set old_mode = ZERO_DATE_TIME_CAST': { only: 'MariaDB' },
  'set in_predicate_conversion_threshold = 2': { only: 'MariaDB' },
  'set join_cache_level = 8': { only: 'MariaDB' },
  'set tmp_memory_table_size = 16384': { only: 'MariaDB' },
  'set internal_tmp_mem_storage_engine = MEMORY': { only: 'MySQL' },
  'set session transaction read only': {},
  'set collation_connection = utf8mb4_turkish_ci': {},
  'set default_collation_for_utf8mb4 = utf8mb4_general_ci': { only: 'MySQL' }
}

const plugins: Record<string, Pick<Setting, 'plugin' | 'pool'>> = {
  CamelCasePlugin: { plugin: (db) => db.withPlugin(new CamelCasePlugin()) },
  // from a connection whose own schema is another one
  withSchema: { plugin: (db, schema) => db.withSchema(schema), pool: { database: 'information_schema' } },
  'a tenant plugin': { plugin: (db) => db.withPlugin(tenantPlugin) },
  ParseJSONResultsPlugin: { plugin: (db) => db.withPlugin(new ParseJSONResultsPlugin()) }
}

const addSqlMode = (mode: string) =>
  mode ? `set sql_mode = concat_ws(',', nullif(@@sql_mode, ''), '${mode}')` : "set sql_mode = ''"

export const settings: readonly Setting[] = [
  ...Object.entries(pool).map(
    ([name, { refused, ...pool }]): Setting => ({ group: 'pool', name, pool, ...(refused && { refused }) })
  ),
  ...Object.entries(sqlModes).map(
    ([mode, limits]): Setting => ({
      group: 'sqlMode',
      name: `sql_mode '${mode}'`,
      session: addSqlMode(mode),
      ...limits
    })
  ),
  ...charsets.map(
    (name): Setting => ({
      group: 'charset',
      name,
      pool: { charset: name },
      ...(name === 'gb18030_chinese_ci' && { only: 'MySQL' })
    })
  ),
  ...sessionCharsets.map((name): Setting => ({ group: 'charset', name, session: name })),
  ...['+00:00', '+07:00', '-05:30'].map(
    (zone): Setting => ({ group: 'timeZone', name: `time_zone ${zone}`, session: `set time_zone = '${zone}'` })
  ),
  ...Object.entries(sessions).map(([name, limits]): Setting => ({ group: 'session', name, session: name, ...limits })),
  ...Object.entries(plugins).map(([name, made]): Setting => ({ group: 'plugin', name, ...made }))
]

/** Whether a host can have both: one time zone, one character set, one value of each pool setting. */
export function goTogether(one: Setting, other: Setting): boolean {
  if (one.group === other.group && (one.group === 'charset' || one.group === 'timeZone')) return false
  const taken = Object.entries(one.pool ?? {})
  return taken.every(([name, value]) => [undefined, value].includes(other.pool?.[name as keyof PoolOptions]))
}
