import type { Dataset } from '../catalogue/model/dataset.ts';
import { getStorageTable } from './storage-table.ts';

export function getKeyFields(dataset: Dataset): string[] {
  if (dataset.period) return [dataset.period.field];
  return getStorageTable(dataset).key.map(({ column }) =>
    column === 'fund_key' ? 'fund_id' : column,
  );
}
