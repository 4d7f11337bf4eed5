import type { AnyRecord, Dataset } from '../../catalogue/dataset.ts';
import { datasetSheet } from './dataset-sheet.ts';
import { fundSheet } from './fund-sheet.ts';
import { plainSheet } from './plain-sheet.ts';
import { revisionSheet } from './revision-sheet.ts';
import type { Sheet } from './sheet.ts';

/** The table that the data of an answer makes. */
export function sheetOf(dataset: Dataset | undefined, data: unknown): Sheet {
  if (dataset?.shape === 'fund') return fundSheet(data);
  if (dataset) return datasetSheet(dataset, data as readonly AnyRecord[]);
  if (isObject(data) && Array.isArray(data.changes)) return revisionSheet(data);
  return plainSheet(data);
}

function isObject(value: unknown): value is AnyRecord {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
