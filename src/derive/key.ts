import type { Dataset } from '../catalogue/dataset.ts';
import { tableOf } from './table.ts';

/** The fields that tell the records of a dataset apart. */
export function keyFields(dataset: Dataset): string[] {
  if (dataset.period) return [dataset.period.field];
  return tableOf(dataset).key.map(({ column }) => (column === 'fund_key' ? 'fund_id' : column));
}
