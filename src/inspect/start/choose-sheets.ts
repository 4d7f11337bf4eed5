import type { Dataset } from '../../catalogue/model/dataset.ts';
import { toText } from '../find-header.ts';
import type { FileProfile, SheetProfile } from '../inspect-file.ts';
import type { ColumnProfile } from '../profile-column.ts';
import { getTargets } from './field-plan.ts';
import { matchFields, matchNames } from './match-fields.ts';

/**
 * The sheets with one header that hold the most fields of a dataset, then the most sheets and rows;
 * or those that have the header of the sheet that was asked for. Undefined where none has a header.
 */
export function chooseSheets(
  dataset: Dataset,
  { sheets, sheet: chosen }: FileProfile,
): readonly [SheetProfile, ...SheetProfile[]] | undefined {
  const tables = sheets.filter(
    (sheet) => hasTable(sheet) && (chosen === undefined || sheet.name === chosen),
  );
  const groups = Map.groupBy(tables, ({ headers }) =>
    (headers[0]?.names ?? []).map((name) => name.toLowerCase()).join('\t'),
  );
  const ranked = [...groups.values()].map((group) => ({
    group,
    fields: group[0] ? countFields(dataset, group[0]) : 0,
    rows: group.reduce((sum, { rowCount }) => sum + rowCount, 0),
  }));
  const [best] = ranked.toSorted(
    (a, b) => b.fields - a.fields || b.group.length - a.group.length || b.rows - a.rows,
  );
  const [first, ...others] = best?.group ?? [];
  return first && [first, ...others];
}

export const hasTable = ({ headers, dataRows }: SheetProfile) =>
  headers.length > 0 && dataRows.length > 0;

function countFields(dataset: Dataset, sheet: SheetProfile): number {
  const columns = sheet.columns.filter(({ name }) => name !== '');
  const labels = findRowLabels(sheet);
  const rows = labels ? matchNames(dataset, readRowNames(sheet, labels)).fields : [];
  const named = rows.filter(([, field]) => field in dataset.fields);
  return named.length + matchFields(columns, getTargets(dataset)).length;
}

/** The column that names the rows of a table with periods across its columns. */
export function findRowLabels({ columns, timeColumns }: SheetProfile): ColumnProfile | undefined {
  if (timeColumns.length === 0) return undefined;
  const isTime = (index: number) => timeColumns.some((column) => column.index === index);
  return columns.find(({ kind, index }) => kind === 'text' && !isTime(index));
}

/** The names of the rows with figures, sums included. */
export function readRowNames(
  { dataRows, otherRows, timeColumns }: SheetProfile,
  { index }: ColumnProfile,
): string[] {
  const hasFigure = (cells: SheetProfile['dataRows'][number]['cells']) =>
    timeColumns.some((column) => toText(cells[column.index]) !== '');
  const rows = [...dataRows, ...otherRows].filter(({ cells }) => hasFigure(cells));
  const names = rows
    .toSorted((a, b) => a.position - b.position)
    .map(({ cells }) => toText(cells[index]));
  return [...new Set(names.filter((name) => name !== ''))];
}
