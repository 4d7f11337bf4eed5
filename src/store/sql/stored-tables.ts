import type { Dataset } from '../../catalogue/model/dataset.ts';
import { type DatasetRows, getStorageTable, listTablePairs } from '../../schema/storage-table.ts';
import { listSummaryTables } from '../../schema/summary-tables.ts';
import { ARCHIVED_TERMS_TABLE } from './archived-terms.ts';

/** The key that signs cursors, and which losses were accepted. */
export const SECRETS_TABLE = 'secrets';
/** What proofs of the ledger need of a revision: the digest of its changes, and a salt. */
export const REVISION_DIGESTS_TABLE = 'revision_digests';
/** Tokens and links; SQLite has the table in a file of its own. */
export const TOKENS_TABLE = 'tokens';

/**
 * Every table whose rows make up a store, on both engines. What else there is follows from them, or
 * is empty between publications: the version of the schema, and what a cluster stages.
 */
export function listStoredTables(catalogue: readonly Dataset[]): string[] {
  const tables = listDatasetTables(catalogue).map(({ name }) => name);
  // Tokens last: they may change while all others are read.
  const shared = ['revisions', SECRETS_TABLE, ARCHIVED_TERMS_TABLE.name, REVISION_DIGESTS_TABLE];
  return [...shared, ...tables, TOKENS_TABLE];
}

interface DatasetTable {
  readonly name: string;
  readonly distributionColumn: string | undefined;
  /** The datasets whose rows it has. */
  readonly datasets: readonly string[];
  readonly rows: readonly DatasetRows[];
}

/** The tables of datasets, each once: the current records, the history, and the summaries. */
export function listDatasetTables(catalogue: readonly Dataset[]): DatasetTable[] {
  const records = listTablePairs(catalogue).flatMap((tables) => {
    const { currentTable, historyTable, distributionColumn } = tables;
    const sharing = catalogue.filter((dataset) => getStorageTable(dataset).tables === tables);
    const rows = sharing.map(getStorageTable);
    const datasets = sharing.map(({ name }) => name);
    return [currentTable, historyTable].map((name) => {
      return { name, distributionColumn, datasets, rows };
    });
  });
  const summaries = catalogue.flatMap((dataset) =>
    listSummaryTables(dataset).map(({ name, distributionColumn, key }) => {
      return { name, distributionColumn, datasets: [dataset.name], rows: [{ key, fixed: [] }] };
    }),
  );
  return [...records, ...summaries];
}
