import type { Dataset } from '../../catalogue/model/dataset.ts';
import { toText } from '../find-header.ts';
import type { FileProfile, SheetProfile } from '../inspect-file.ts';
import { type ColumnProfile, profileColumn } from '../profile-column.ts';
import { hasTable } from './ask-questions.ts';
import { planFields } from './plan-fields.ts';

/** The sheets that a start is made from. */
export interface ChosenSheets {
  readonly dataset: Dataset;
  readonly file: FileProfile;
  /** With one header. */
  readonly sheets: readonly [SheetProfile, ...SheetProfile[]];
  /** The name of the only one, where the file has others. */
  readonly options: { readonly sheet?: string };
  readonly questions: readonly string[];
}

/**
 * The sheets with one header that hold the most fields of a dataset, or that of the sheet that was
 * asked for; a question where several do. Undefined where none has a header.
 */
export function chooseSheets(dataset: Dataset, file: FileProfile): ChosenSheets | undefined {
  const tables = file.sheets.filter(
    (sheet) => hasTable(sheet) && (file.sheet === undefined || sheet.name === file.sheet),
  );
  const groups = Map.groupBy(tables, ({ headers }) =>
    (headers[0]?.names ?? []).join('\t').toLowerCase(),
  );
  const counts = new Map([...groups.values()].map((group) => [group, countFields(dataset, group)]));
  const max = Math.max(...counts.values());
  const best = [...groups.values()].filter((group) => counts.get(group) === max);
  const [[first, ...others] = []] = best;
  if (!first) return undefined;
  const rivals = best.map(([sheet]) => sheet?.name);
  const isOpen = rivals.length > 1;
  const isOnly = file.sheets.length > 1 && others.length === 0;
  return {
    ...{ dataset, file, sheets: [first, ...others] },
    options: isOpen ? { sheet: '?' } : isOnly ? { sheet: first.name } : {},
    questions: isOpen ? [`sheet: ${rivals.join(' or ')}`] : [],
  };
}

function countFields(dataset: Dataset, [sheet]: readonly SheetProfile[]): number {
  const columns = sheet ? [...sheet.columns, ...profileRowNames(sheet)] : [];
  return planFields(dataset, columns).filter(({ column }) => column).length;
}

/** The column that names the rows of a table with periods across its columns. */
export function findRowLabels({ columns, timeColumns }: SheetProfile): ColumnProfile | undefined {
  if (timeColumns.length === 0) return undefined;
  const isTime = (index: number) => timeColumns.some((column) => column.index === index);
  return columns.find(({ kind, index }) => kind === 'text' && !isTime(index));
}

/** The rows with figures, sums included, as if they were columns. */
export function profileRowNames(sheet: SheetProfile): ColumnProfile[] {
  const { dataRows, otherRows, timeColumns } = sheet;
  const labels = findRowLabels(sheet);
  if (!labels) return [];
  const rows = [...dataRows, ...otherRows]
    .filter(({ cells }) => timeColumns.some(({ index }) => toText(cells[index]) !== ''))
    .toSorted((a, b) => a.position - b.position);
  const names = new Set(rows.map(({ cells }) => toText(cells[labels.index])));
  return [...names].map((name, index) => profileColumn(name, index, [0]));
}
