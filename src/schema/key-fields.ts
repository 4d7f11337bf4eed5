import type { Dataset } from '../catalogue/model/dataset.ts';
import { getStorageTable } from './storage-table.ts';

export function getKeyFields(dataset: Dataset): string[] {
  const { period, declaration } = dataset;
  if (period) return [period, ...(declaration?.dimensions ?? [])].map(({ field }) => field);
  if (dataset.shape !== 'quotes')
    return [...(dataset.keyFields ?? Object.keys(dataset.fields).slice(0, 1))];
  return getStorageTable(dataset).key.map(({ column }) => column);
}
