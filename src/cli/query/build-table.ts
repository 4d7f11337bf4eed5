import type { AnyRecord, Dataset } from '../../catalogue/model/dataset.ts';
import { buildDatasetTable } from './dataset-table.ts';
import { buildFundTable } from './fund-table.ts';
import { buildGenericTable } from './generic-table.ts';
import type { QueryTable } from './query-table.ts';
import { buildRevisionTable } from './revision-table.ts';

/** The table that the data of an answer makes. */
export function buildTable(dataset: Dataset | undefined, data: unknown): QueryTable {
  if (dataset?.shape === 'fund') return buildFundTable(data);
  if (dataset) return buildDatasetTable(dataset, data as readonly AnyRecord[]);
  if (isPlainObject(data) && Array.isArray(data.changes)) return buildRevisionTable(data);
  return buildGenericTable(data);
}

function isPlainObject(value: unknown): value is AnyRecord {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
