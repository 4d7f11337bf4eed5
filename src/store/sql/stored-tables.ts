import type { Dataset } from '../../catalogue/model/dataset.ts';
import { getStorageTable } from '../../schema/storage-table.ts';
import { listSummaryTables } from '../../schema/summary-tables.ts';
import { ARCHIVED_TERMS_TABLE } from './archived-terms.ts';

/** The key that signs cursors, and which losses were accepted. */
export const SECRETS_TABLE = 'secrets';
/** Tokens and links; SQLite has the table in a file of its own. */
export const TOKENS_TABLE = 'tokens';

/**
 * Every table whose rows make up a store, on both engines. What else there is follows from them, or
 * is empty between publications: the version of the schema, and what a cluster stages.
 */
export function listStoredTables(catalogue: readonly Dataset[]): string[] {
  const tables = catalogue.flatMap(listDatasetTables).map(({ name }) => name);
  // Tokens last: they may change while all others are read.
  return ['revisions', SECRETS_TABLE, ARCHIVED_TERMS_TABLE.name, ...tables, TOKENS_TABLE];
}

/** The tables of a dataset: the current records, the history, and the summaries. */
export function listDatasetTables(dataset: Dataset) {
  const table = getStorageTable(dataset);
  const records = [table.currentTable, table.historyTable].map((name) => ({ ...table, name }));
  return [...records, ...listSummaryTables(dataset)].map(({ name, key, distributionColumn }) => ({
    ...{ name, key, distributionColumn },
    dataset: dataset.name,
  }));
}
