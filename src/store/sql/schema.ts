import type { Dataset } from '../../catalogue/model/dataset.ts';
import {
  getStorageTable,
  listTablePairs,
  type TableColumn,
  type TableIndex,
  type TablePair,
} from '../../schema/storage-table.ts';
import { getSummaryTables, type SummaryTable } from '../../schema/summary-tables.ts';
import { StoreMigratedError, StoreUnusableError } from '../errors.ts';
import type { SchemaDefinition, TableDialect } from './dialect.ts';
import { getSchemaVersion } from './migrations.ts';
import { formatOrder, ownRows, selectWhere } from './sql-fragments.ts';

/** For a process that has the database open: it may not know what a newer schema needs. */
export function assertNotMigrated(version: number, consequence?: string): void {
  const newest = getSchemaVersion();
  if (version > newest) throw new StoreMigratedError(newest, version, consequence);
}

/** The consequence for a publisher. */
export const NOTHING_PUBLISHED = 'nothing was published: ';

/** For a command that does not migrate. */
export function assertUpToDate(version: number, missingStatements: readonly string[]): void {
  if (missingStatements.length === 0) return;
  const newest = getSchemaVersion();
  const problem =
    version < newest
      ? `its schema is version ${version}, and this Tenor needs version ${newest}`
      : 'it lacks tables, indexes or views of this Tenor';
  throw new StoreUnusableError(
    `${problem}; this command does not change it: run tenor migrate, which brings it up to date`,
  );
}

/** The tables of some datasets, each once, with their indexes, summaries and views. */
export function getSchemaDefinitions(
  datasets: readonly Dataset[],
  dialect: TableDialect,
): SchemaDefinition[] {
  return [
    ...listTablePairs(datasets).flatMap((tables) => [
      ...buildTables(tables, dialect),
      ...buildIndexes(tables, dialect),
    ]),
    ...datasets.flatMap((dataset) => buildSummaries(dataset, dialect)),
    // A publisher declares datasets without the rights of an owner.
    ...datasets.flatMap((dataset) => (dataset.declared ? [] : [buildView(dataset, dialect)])),
  ];
}

function buildTables(tables: TablePair, dialect: TableDialect): SchemaDefinition[] {
  const { currentTable, historyTable, columns } = tables;
  const key = [...getDatasetColumn(tables), ...dialect.uniqueKey(tables)];
  const current = [...columns, { name: 'record', type: 'text' } as const, createRevision('since')];
  const history = [...current, createRevision('until')];
  const historyKey = [...key, { column: 'since' }];
  return [
    ...dialect.createTable(currentTable, current, formatOrder(key)),
    ...dialect.createTable(historyTable, history, formatOrder(historyKey)),
  ];
}

const createRevision = (name: string): TableColumn => ({ name, type: 'integer' });

function getDatasetColumn({ datasetColumn }: TablePair): TablePair['key'] {
  return datasetColumn === undefined ? [] : [{ column: datasetColumn }];
}

/** Both tables have the same indexes, and others by revision. */
function buildIndexes(tables: TablePair, dialect: TableDialect): SchemaDefinition[] {
  const { currentTable, historyTable, key, indexes, historyIndexes = {} } = tables;
  const dataset = getDatasetColumn(tables);
  const [since, until] = [{ column: 'since' }, { column: 'until' }];
  // With the revisions, an index covers reads as of a revision: no table row is read for them.
  const build = (table: string, revisions: TableIndex['columns']) => [
    ...Object.entries(indexes).flatMap(([suffix, index]) => {
      const isShort = table === currentTable && index.omitsRevision;
      const columns = [...dataset, ...index.columns, ...(isShort ? [] : revisions)];
      return buildIndex(table, suffix, { ...index, columns }, dialect);
    }),
    ...buildIndex(table, 'by_since', { columns: [...dataset, since, ...key] }, dialect),
  ];
  // The newest revision first, in the order of corrections.
  const byUntil = { columns: [...dataset, { ...until, isDescending: true as const }, ...key] };
  return [
    ...build(currentTable, [since]),
    ...build(historyTable, [since, until]),
    ...Object.entries({ by_until: byUntil, ...historyIndexes }).flatMap(([suffix, index]) =>
      buildIndex(historyTable, suffix, index, dialect),
    ),
  ];
}

function buildIndex(
  table: string,
  suffix: string,
  { columns, included = [], lengthColumn }: TableIndex,
  dialect: TableDialect,
): readonly SchemaDefinition[] {
  const searched = formatOrder(columns);
  return dialect.createIndex(`${table}_${suffix}`, table, { searched, included, lengthColumn });
}

/** The summaries of a dataset, with statements that derive them from the records there are. */
function buildSummaries(dataset: Dataset, dialect: TableDialect): SchemaDefinition[] {
  const summaries = getSummaryTables(dataset);
  if (!summaries) return [];
  const { currentTable, historyTable } = getStorageTable(dataset);
  const { securities, days } = summaries;
  const key = formatOrder(securities.key);
  const fillSecurities = `INSERT INTO ${securities.name} SELECT ${key}, min(since) FROM (
    SELECT ${key}, since FROM ${currentTable} UNION ALL SELECT ${key}, since FROM ${historyTable}
  ) AS stored GROUP BY ${key}`;
  const fillDays = `INSERT INTO ${days.name} SELECT date, type, revision, sum(difference) FROM (
    SELECT date, type, since AS revision, 1 AS difference FROM ${currentTable}
    UNION ALL SELECT date, type, since, 1 FROM ${historyTable}
    UNION ALL SELECT date, type, until, -1 FROM ${historyTable}
  ) AS changes GROUP BY date, type, revision HAVING sum(difference) <> 0`;
  return [
    ...buildSummaryTable(securities, fillSecurities, dialect),
    ...buildSummaryTable(days, fillDays, dialect),
  ];
}

function buildSummaryTable(
  { name, columns, key, indexes }: SummaryTable,
  fillSql: string,
  dialect: TableDialect,
): SchemaDefinition[] {
  return [
    ...dialect
      .createTable(name, columns, formatOrder(key))
      .map((definition) =>
        definition.kind === 'table' ? { ...definition, fill: [fillSql] } : definition,
      ),
    ...Object.entries(indexes).flatMap(([suffix, index]) =>
      buildIndex(name, suffix, index, dialect),
    ),
  ];
}

function buildView(dataset: Dataset, dialect: TableDialect): SchemaDefinition {
  const table = getStorageTable(dataset);
  const { view, currentTable, columns: storedColumns } = table;
  const daysTable = getSummaryTables(dataset)?.days.name;
  const stored = new Set(daysTable === undefined ? [] : storedColumns.map(({ name }) => name));
  // A condition on a stored column finds records by an index; one on their text reads them all.
  const columns = Object.entries(dataset.fields).map(([name, field]) => {
    const build = stored.has(name) ? dialect.storedFieldExpression : dialect.fieldExpression;
    return `${build(name, field)} AS "${name}"`;
  });
  const source = dialect.viewSource(currentTable, daysTable);
  const { sql: own } = selectWhere([...columns, 'since AS revision'], source, ownRows(table));
  const sql = `CREATE VIEW ${view} AS ${own}`;
  return {
    kind: 'view',
    name: view,
    columnNames: [...Object.keys(dataset.fields), 'revision'],
    sql,
  };
}

/** Tables, indexes and views by kind and name, each with a text that defines it. */
export type SchemaObjects = ReadonlyMap<string, string>;

/** The faults of a schema: objects that are missing or differ from those of a new database. */
export function compareSchemas(actual: SchemaObjects, expected: SchemaObjects): string[] {
  return [...expected].flatMap(([name, definition]) => {
    if (actual.get(name) === definition) return [];
    return [actual.has(name) ? `${name} is not as made` : `${name} is missing`];
  });
}
