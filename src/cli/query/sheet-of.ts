import type { AnyRecord, Dataset } from '../../catalogue/dataset.ts';
import { buildDatasetTable } from './dataset-sheet.ts';
import { buildFundTable } from './fund-sheet.ts';
import { buildGenericTable } from './plain-sheet.ts';
import { buildRevisionTable } from './revision-sheet.ts';
import type { QueryTable } from './sheet.ts';

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
