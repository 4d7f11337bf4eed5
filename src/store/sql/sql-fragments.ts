import type { Dataset } from '../../catalogue/model/dataset.ts';
import { isNumberField } from '../../catalogue/model/field.ts';
import type { OrderedColumn, StorageTable } from '../../schema/storage-table.ts';
import type { KeyRange } from '../inspector.ts';
import type { Dialect, UnionHints } from './dialect.ts';
import type { SqlStatement, SqlValue } from './query-steps.ts';

export type SqlCondition = readonly [sql: string, ...values: SqlValue[]];

/** Builds a statement of texts and other statements, whose values stay in the order of the text. */
export function buildSql(texts: TemplateStringsArray, ...parts: readonly SqlPart[]): SqlStatement {
  const values: SqlValue[] = [];
  let sql = texts.raw[0] ?? '';
  for (let index = 0; index < parts.length; index++)
    sql += addPart(parts[index] as SqlPart, values) + texts.raw[index + 1];
  return { sql, values };
}

/** A part of a statement: a text without placeholders, or a statement. */
export type SqlPart = string | SqlStatement;

/** The text of a part, whose values go to the end of others. Each cold request needs dozens. */
function addPart(part: SqlPart, values: SqlValue[]): string {
  if (typeof part === 'string') return part;
  for (const value of part.values) values.push(value);
  return part.sql;
}

export function joinSql(parts: readonly SqlPart[], separator: string): SqlStatement {
  const values: SqlValue[] = [];
  let sql = '';
  for (const part of parts) sql += (sql === '' ? '' : separator) + addPart(part, values);
  return { sql, values };
}

/** A value in a statement that is built. */
export function bind(value: SqlValue): SqlStatement {
  return { sql: '?', values: [value] };
}

/** Columns of the rows of a table that meet all conditions. */
export function selectWhere(
  columns: readonly SqlPart[],
  from: SqlPart,
  conditions: readonly SqlCondition[],
): SqlStatement {
  return buildSql`SELECT ${joinSql(columns, ', ')} FROM ${from}${whereClause(conditions)}`;
}

export function whereClause(conditions: readonly SqlCondition[]): SqlPart {
  const all = conditions.map(([sql, ...values]) => ({ sql, values }));
  return all.length === 0 ? '' : buildSql` WHERE ${joinSql(all, ' AND ')}`;
}

/** The end of a statement: its order, and up to how many rows it has. */
export function orderAndLimit(
  order: readonly OrderedColumn[],
  limit: number | undefined,
): SqlStatement {
  const orderBy = order.length === 0 ? '' : ` ORDER BY ${formatOrder(order)}`;
  if (limit === undefined) return buildSql`${orderBy}`;
  // Planners take the shortest way to a single row, if they know that it is one.
  if (limit === 1) return buildSql`${orderBy} LIMIT 1`;
  // Cast, because SQLite plans again whenever a bare limit is bound.
  return buildSql`${orderBy} LIMIT cast(${bind(limit)} AS INTEGER)`;
}

/** That one of the conditions holds. */
export function anyCondition(conditions: readonly SqlCondition[]): SqlCondition {
  const [only] = conditions;
  if (only && conditions.length === 1) return only;
  const alternatives = conditions.map(([sql]) => `(${sql})`);
  return [`(${alternatives.join(' OR ')})`, ...conditions.flatMap(([, ...values]) => values)];
}

export function isOneOf(column: string, values: readonly string[]): SqlCondition {
  // An empty list is an error of syntax on PostgreSQL.
  if (values.length === 0) return ['1 = 0'];
  return [`${column} IN (${values.map(() => '?').join(', ')})`, ...values];
}

/** How the conditions on a symbol are written, so that the planner finds the index for it. */
export type SymbolDialect = Pick<Dialect, 'maxCoveredSymbolBytes'>;

/** That a record has a symbol. */
export function symbolCondition(
  key: string,
  { maxCoveredSymbolBytes }: SymbolDialect,
): SqlCondition {
  if (maxCoveredSymbolBytes === undefined) return ['symbol_key = ?', key];
  const isCovered = Buffer.byteLength(key) <= maxCoveredSymbolBytes;
  return [`symbol_key = ? AND ${symbolLengthSql(isCovered, maxCoveredSymbolBytes)}`, key];
}

/** For each index by symbol, the condition on the lengths that it has; empty if it has all. */
export function symbolLengthConditions({ maxCoveredSymbolBytes }: SymbolDialect): SqlCondition[][] {
  if (maxCoveredSymbolBytes === undefined) return [[]];
  return [true, false].map((isCovered) => [[symbolLengthSql(isCovered, maxCoveredSymbolBytes)]]);
}

function symbolLengthSql(isCovered: boolean, maxBytes: number): string {
  return `octet_length(symbol_key) ${isCovered ? '<=' : '>'} ${maxBytes}`;
}

/** Whether a row follows a position in an order that nowhere descends: an index finds it at once. */
export function afterRowCondition(
  order: readonly OrderedColumn[],
  values: readonly (string | number)[],
): SqlCondition {
  const columns = order.map(({ column }) => column).join(', ');
  return [`(${columns}) > (${values.map(() => '?').join(', ')})`, ...values];
}

/** Whether a row follows a position in an order: keyset pagination. */
export function afterPositionCondition(
  [first, ...others]: readonly OrderedColumn[],
  [value = '', ...values]: readonly (string | number)[],
): SqlCondition {
  if (!first) return ['FALSE'];
  const { column, isDescending } = first;
  const operator = isDescending ? '<' : '>';
  if (others.length === 0) return [`${column} ${operator} ?`, value];
  const [sql, ...tail] = afterPositionCondition(others, values);
  // The first comparison alone bounds the search of an index.
  return [
    `${column} ${operator}= ? AND (${column} ${operator} ? OR ${sql})`,
    value,
    value,
    ...tail,
  ];
}

export function formatOrder(columns: readonly OrderedColumn[]): string {
  return columns
    .map(({ column, isDescending }) => (isDescending ? `${column} DESC` : column))
    .join(', ');
}

export function reverseOrder(columns: readonly OrderedColumn[]): readonly OrderedColumn[] {
  return columns.map(({ column, isDescending }) =>
    isDescending ? { column } : { column, isDescending: true },
  );
}

/**
 * That a record has a figure; without a condition if all of the dataset have. Its text is searched:
 * quotation marks in values are escaped, and a field that was added later is absent if it is null.
 */
export function figureConditions({ fields }: Dataset, alias?: string): SqlCondition[] {
  const record = alias === undefined ? 'record' : `${alias}.record`;
  const without = (text: string) => `replace(${record}, '${text}', '')`;
  const all = Object.entries(fields);
  const numbers = all.filter(([, field]) => isNumberField(field));
  if (numbers.some(([, { isNullable }]) => !isNullable)) return [];
  const lists = all.filter(([, { kind }]) => kind === 'list');
  const conditions = [
    ...numbers.map(
      ([name]) =>
        `${without(`"${name}":`)} <> ${record} AND ${without(`"${name}":null`)} = ${record}`,
    ),
    ...lists.map(([name]) => `${without(`"${name}":[{`)} <> ${record}`),
  ];
  return [anyCondition(conditions.map((sql): SqlCondition => [sql]))];
}

/** The columns of a table that a record is stored in, without `until`. */
export function getStoredColumns({ columns }: StorageTable): string[] {
  return [...columns.map(({ name }) => name), 'record', 'since'];
}

/**
 * The columns that find a record among those of its dataset: its key, and the distribution column,
 * which names its node.
 */
export function getKeyColumns({ key, distributionColumn }: StorageTable): string[] {
  return [
    ...key.map(({ column }) => column),
    ...(distributionColumn === undefined ? [] : [distributionColumn]),
  ];
}

/** That a row of a table is of the dataset, if several share it, and has the key of another row. */
export function isSameRecordSql(
  table: StorageTable,
  row: string,
  other: string,
  { isDistributed = false }: UnionHints = {},
): string {
  const isSame = hasKeySql(table, row, (column) => `${other}.${column}`, getKeyColumns(table));
  return isDistributed ? `${isSame}${andAll(ownDistributedRows(table, row))}` : isSame;
}

/** That a row of a table is of the dataset and has a key: each column of it, so that planners know it. */
export function hasKeySql(
  table: StorageTable,
  row: string | undefined,
  getValue: (column: string) => string,
  columns: readonly string[] = table.key.map(({ column }) => column),
): string {
  const prefix = row === undefined ? '' : `${row}.`;
  const equal = columns.map((column) => `${prefix}${column} = ${getValue(column)}`);
  const fixed = ownRows({ fixed: [...table.fixed, ...(table.unusedKey ?? [])] }, row);
  return [...equal, ...fixed.map(([sql]) => sql)].join(' AND ');
}

/** That rows are of the dataset, if several share a table. */
export function ownRows({ fixed }: Pick<StorageTable, 'fixed'>, alias?: string): SqlCondition[] {
  const prefix = alias === undefined ? '' : `${alias}.`;
  return fixed.map(({ name, value }): SqlCondition => [`${prefix}${name} = '${value}'`]);
}

/** The same in a cluster, which then queries only the nodes that have some. */
export function ownDistributedRows(table: StorageTable, alias?: string): SqlCondition[] {
  const { distributionColumn: name, fixed, key, getDistributionValue } = table;
  // A series without dimensions is on one node, whatever the period.
  const value = fixed.length > 0 && key.length === 1 ? getDistributionValue?.([0]) : undefined;
  if (name === undefined || value === undefined) return ownRows(table, alias);
  return ownRows({ fixed: [...fixed, { name, value }] }, alias);
}

/** The same after another condition. */
export function andOwnRows(rows: Pick<StorageTable, 'fixed'>, alias?: string): string {
  return andAll(ownRows(rows, alias));
}

export function andAll(conditions: readonly SqlCondition[]): string {
  return conditions.map(([sql]) => ` AND ${sql}`).join('');
}

export function columnsEqualSql(columns: readonly string[], a: string, b: string): string {
  return columns.map((column) => `${a}.${column} = ${b}.${column}`).join(' AND ');
}

/** That a column is in a range of values. */
export function rangeConditions(column: string, { from, before }: KeyRange): SqlCondition[] {
  return [
    ...(from === undefined ? [] : [[`${column} >= ?`, from] as const]),
    ...(before === undefined ? [] : [[`${column} < ?`, before] as const]),
  ];
}
