import type { Dataset } from '../catalogue/model/dataset.ts';
import type { StorageTable } from './storage-table.ts';

/** The pricing terms of securities, which quotes do not hold; versioned like records. */
const SECURITY_TERMS_TABLE: StorageTable = {
  currentTable: 'security_terms_now',
  historyTable: 'security_terms_past',
  columns: [{ name: 'symbol_key', type: 'text', getValue: ({ symbol }) => String(symbol) }],
  key: [{ column: 'symbol_key' }],
  indexes: {},
};

/** The table of what is published with a dataset's records but not served, if it has one. */
export function getAuxiliaryTable({ shape }: Dataset): StorageTable | undefined {
  return shape === 'quotes' ? SECURITY_TERMS_TABLE : undefined;
}
