import type { Dataset } from '../catalogue/model/dataset.ts';
import { getStorageTable, type TableColumn, type TablePair } from './storage-table.ts';

/**
 * Tables that every publication keeps up to date, so that lists and counts need not read all records. Rows
 * are only ever added, each with a revision, so history is read like the current state.
 */
export interface SummaryTables {
  /** Each symbol with each ISIN that it ever had, and the first revision with both. */
  readonly securities: SummaryTable;
  /** How much each revision changed the number of records of a day and a type. */
  readonly days: SummaryTable;
}

export interface SummaryTable extends Pick<TablePair, 'key' | 'distributionColumn' | 'indexes'> {
  readonly name: string;
  readonly revisionColumn: string;
  readonly columns: readonly TableColumn[];
}

/** The summaries of a dataset, if it has any; memoized because requests need them. */
export function getSummaryTables(dataset: Dataset): SummaryTables | undefined {
  if (dataset.shape !== 'quotes') return undefined;
  const cached = summaryCache.get(dataset);
  if (cached) return cached;
  const tables = buildSummaryTables(getStorageTable(dataset).view);
  summaryCache.set(dataset, tables);
  return tables;
}

const summaryCache = new WeakMap<Dataset, SummaryTables>();

function buildSummaryTables(view: string): SummaryTables {
  return {
    securities: {
      name: `${view}_securities`,
      revisionColumn: 'since',
      columns: [
        { name: 'symbol_key', type: 'text' },
        { name: 'symbol', type: 'text' },
        { name: 'isin_key', type: 'text' },
        { name: 'since', type: 'integer' },
      ],
      key: [{ column: 'symbol_key' }, { column: 'symbol' }, { column: 'isin_key' }],
      distributionColumn: 'symbol_key',
      indexes: { by_isin: { columns: [{ column: 'isin_key' }, { column: 'symbol_key' }] } },
    },
    days: {
      name: `${view}_days`,
      revisionColumn: 'revision',
      columns: [
        { name: 'date', type: 'text' },
        { name: 'type', type: 'text' },
        { name: 'revision', type: 'integer' },
        { name: 'difference', type: 'integer' },
      ],
      key: [{ column: 'date', isDescending: true }, { column: 'type' }, { column: 'revision' }],
      indexes: {},
    },
  };
}

export function listSummaryTables(dataset: Dataset): SummaryTable[] {
  const summaries = getSummaryTables(dataset);
  return summaries ? [summaries.securities, summaries.days] : [];
}
