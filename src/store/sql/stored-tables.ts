import type { Dataset } from '../../catalogue/model/dataset.ts';
import { getStorageTable, listTablePairs } from '../../schema/storage-table.ts';
import { listSummaryTables } from '../../schema/summary-tables.ts';

/** The key that signs cursors, and which losses were accepted. */
export const SECRETS_TABLE = 'secrets';
/** What proofs of the ledger need of a revision: the digest of its changes, and a salt. */
export const REVISION_DIGESTS_TABLE = 'revision_digests';
/** The hashes of the log of the ledger, and the keys that have signed it. */
export const LEDGER_HASHES_TABLE = 'ledger_hashes';
export const LEDGER_KEYS_TABLE = 'ledger_keys';
/** Its private keys, for publishers only; SQLite has them in a file of their own. */
export const LEDGER_SIGNERS_TABLE = 'ledger_signers';
/** Tokens and links; SQLite has the table in a file of its own. */
export const TOKENS_TABLE = 'tokens';

/** Releases that are prepared, for publishers only; SQLite has them in a file of their own. */
export const CANDIDATES_TABLE = 'candidates';
export const CANDIDATE_PARTS_TABLE = 'candidate_parts';
export const REVIEWS_TABLE = 'reviews';
export const CANDIDATE_TABLES: readonly string[] = [
  CANDIDATES_TABLE,
  CANDIDATE_PARTS_TABLE,
  REVIEWS_TABLE,
];

export const LOG_TABLES = [
  ...[REVISION_DIGESTS_TABLE, LEDGER_HASHES_TABLE, LEDGER_KEYS_TABLE, LEDGER_SIGNERS_TABLE],
];

/**
 * Every table whose rows make up a store, on both engines. What else there is follows from them, or
 * is empty between publications: the version of the schema, and what a cluster stages.
 */
export function listStoredTables(catalogue: readonly Dataset[]): string[] {
  const tables = listDatasetTables(catalogue).map(({ name }) => name);
  // Tokens last: they may change while all others are read.
  return ['revisions', SECRETS_TABLE, ...LOG_TABLES, ...tables, ...CANDIDATE_TABLES, TOKENS_TABLE];
}

interface DatasetTable {
  readonly name: string;
  readonly distributionColumn: string | undefined;
  /** The datasets whose rows it has. */
  readonly datasets: readonly string[];
}

/** The tables of datasets, each once: the current records, the history, and the summaries. */
export function listDatasetTables(catalogue: readonly Dataset[]): DatasetTable[] {
  const records = listTablePairs(catalogue).flatMap((tables) => {
    const { currentTable, historyTable, distributionColumn } = tables;
    const sharing = catalogue.filter((dataset) => getStorageTable(dataset).tables === tables);
    const datasets = sharing.map(({ name }) => name);
    return [currentTable, historyTable].map((name) => {
      return { name, distributionColumn, datasets };
    });
  });
  const summaries = catalogue.flatMap((dataset) =>
    listSummaryTables(dataset).map(({ name, distributionColumn }) => {
      return { name, distributionColumn, datasets: [dataset.name] };
    }),
  );
  return [...records, ...summaries];
}
