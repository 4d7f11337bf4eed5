import type { AnyRecord, Dataset } from '../../catalogue/dataset.ts';
import type { Cell, Column } from '../terminal/table.ts';
import { datasetSheet } from './dataset-sheet.ts';
import { fundSheet } from './fund-sheet.ts';
import { plainSheet } from './plain-sheet.ts';
import { revisionSheet } from './revision-sheet.ts';

/** The table that the data of an answer makes. */
export function sheetOf(dataset: Dataset | undefined, data: unknown): Sheet {
  if (dataset?.shape === 'fund') return fundSheet(data);
  if (dataset) return datasetSheet(dataset, data as readonly AnyRecord[]);
  if (isObject(data) && Array.isArray(data.changes)) return revisionSheet(data);
  return plainSheet(data);
}

/** What an answer says, as a table for people. */
export interface Sheet {
  /** What is said once, above the table. */
  readonly about: readonly (readonly [name: string, value: Cell])[];
  readonly columns: readonly SheetColumn[];
  readonly rows: readonly (readonly Cell[])[];
  /** What a row is called. */
  readonly row: string;
  /** Where the rows stand in time, if the figures of a column are a series. */
  readonly times?: readonly Time[];
}

export interface SheetColumn extends Column {
  /** Whether a 0 stands for no value: on the board, no order and a yield that was not computed. */
  readonly zeroIsNone?: boolean;
}

/** A point in time: those that follow one another have places that do. */
export interface Time {
  readonly label: string;
  readonly place: number;
}

function isObject(value: unknown): value is AnyRecord {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
