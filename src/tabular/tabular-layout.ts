import type { AnyRecord } from '../catalogue/model/dataset.ts';

/** A column of a table, which has no nested lists or objects. */
export interface TabularColumn {
  readonly name: string;
  readonly type: 'text' | 'number' | 'integer' | 'day';
}

export type TabularCell = string | number | null;

/** Records as rows of cells: nested lists as `list.key`, a fund as a row for each class and period. */
export interface TabularLayout {
  readonly columns: readonly TabularColumn[];
  readonly toRows: (record: AnyRecord) => readonly (readonly TabularCell[])[];
}
