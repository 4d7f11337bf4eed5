import type { Dataset } from '../catalogue/model/dataset.ts';
import { getStorageTable } from './storage-table.ts';

export function getKeyFields(dataset: Dataset): string[] {
  if (dataset.period) return [dataset.period.field];
  if (dataset.shape !== 'quotes') return Object.keys(dataset.fields).slice(0, 1);
  return getStorageTable(dataset).key.map(({ column }) => column);
}
