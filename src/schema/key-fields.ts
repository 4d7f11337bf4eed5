import type { Dataset } from '../catalogue/model/dataset.ts';
import { getStorageTable } from './storage-table.ts';

/** The fields that tell the records of one period apart. */
export function listDimensions({ declaration }: Dataset): string[] {
  return declaration?.dimensions?.map(({ field }) => field) ?? [];
}

export function getKeyFields(dataset: Dataset): string[] {
  if (dataset.period) return [dataset.period.field, ...listDimensions(dataset)];
  if (dataset.shape !== 'quotes') return Object.keys(dataset.fields).slice(0, 1);
  return getStorageTable(dataset).key.map(({ column }) => column);
}
