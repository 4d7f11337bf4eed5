import type { Dataset } from '../../catalogue/model/dataset.ts';
import { normalizeName } from '../../publish/mapping/column-names.ts';
import { toText } from '../find-header.ts';
import type { FileProfile, SheetProfile } from '../inspect-file.ts';
import { type ColumnProfile, hasFigures, profileColumn } from '../profile-column.ts';
import { type FieldPlan, isKey, planFields } from './plan-fields.ts';

/** The sheets that a draft is made from. */
export interface ChosenSheets {
  readonly dataset: Dataset;
  readonly file: FileProfile;
  /** All of them have the used columns under the same names. */
  readonly sheets: readonly [SheetProfile, ...SheetProfile[]];
  /** The name of the sheet, if the file has others. */
  readonly options: { readonly sheet?: string };
  readonly unused: readonly ReturnType<typeof describeUnused>[];
  readonly questions: readonly string[];
}

/**
 * The sheets that hold the most fields of a dataset, or the requested one, with all others that have the same
 * columns; and a question if more may be meant. Undefined if none has a header.
 */
export function chooseSheets(dataset: Dataset, file: FileProfile): ChosenSheets | undefined {
  const tables = file.sheets
    .filter((sheet) => hasTable(sheet) && [undefined, sheet.name].includes(file.sheet))
    .map((sheet) => ({ sheet, used: listUsed(dataset, sheet) }));
  const max = Math.max(...tables.map(({ used }) => used.length));
  const groups = tables
    .filter(({ used }) => used.length === max)
    .map(({ sheet, used }) => tables.filter((other) => !explainOther(other.sheet, sheet, used)));
  const [group = []] = groups.toSorted((a, b) => b.length - a.length);
  const [first, ...others] = group;
  if (!first) return undefined;
  const sheets = group.map(({ sheet }) => sheet) as [SheetProfile, ...SheetProfile[]];
  const rivals = tables.filter(
    ({ sheet, used }) =>
      !sheets.includes(sheet) && used.length >= max / 2 && sheet.columns.some(hasFigures),
  );
  const isOnly = others.length === 0;
  const isOpen = isOnly && rivals.length > 0;
  const unused = [
    ...file.sheets
      .filter((sheet) => !sheets.includes(sheet))
      .map((sheet) => describeUnused(sheet, explainOther(sheet, first.sheet, first.used))),
    ...file.hiddenSheets.map((name) => ({ name, isOpen: false, text: `${name} (hidden)` })),
  ];
  const names = [first, ...rivals].map(({ sheet }) => sheet.name);
  const options = { sheet: isOpen ? '?' : first.sheet.name };
  return {
    dataset,
    file,
    sheets,
    unused,
    options: isOnly && unused.length > 0 ? options : {},
    questions: isOpen ? [`sheet: ${names.join(' or ')}, by --sheet`] : [],
  };
}

const hasTable = ({ headers, dataRows }: SheetProfile) => headers.length > 0 && dataRows.length > 0;

/** Fields that columns hold, or rows of a table with periods across its columns. */
const listUsed = (dataset: Dataset, sheet: SheetProfile): FieldPlan[] =>
  planFields(dataset, [...sheet.columns, ...profileRowNames(sheet)]).filter(({ column }) => column);

/** Why a sheet cannot be read like another; undefined if it can. */
function explainOther(
  sheet: SheetProfile,
  chosen: SheetProfile,
  used: readonly FieldPlan[],
): string | undefined {
  if (sheet === chosen) return undefined;
  if (!hasTable(sheet)) return sheet.rowCount === 0 ? 'no rows' : 'no names above its rows';
  // A shared key does not mean that the tables are the same.
  const isByName = chosen.timeColumns.length === 0 && used.some(({ field }) => !isKey(field));
  const needed = isByName
    ? used.flatMap(({ column }) => column?.parts ?? column?.name)
    : chosen.headers[0]?.names;
  const [missing = [], ...others] = sheet.headers.map(({ names }) => {
    const known = new Set(names.map(normalizeName));
    return (needed ?? []).filter((name) => name && !known.has(normalizeName(name)));
  });
  const isSame = [missing, ...others].some(({ length }) => length === 0);
  return isSame ? undefined : `no column ${missing.slice(0, 3).join(', ')}`;
}

/** A sheet with figures stays a question, because it may hold records. */
function describeUnused({ name, columns }: SheetProfile, reason = 'not asked for') {
  const isOpen = columns.some(hasFigures);
  return { name, isOpen, text: `${name} (${isOpen ? reason : 'no figures'})` };
}

/** The column that names the rows of a table with periods across its columns. */
export function findRowLabels({ columns, timeColumns }: SheetProfile): ColumnProfile | undefined {
  if (timeColumns.length === 0) return undefined;
  const isTime = (index: number) => timeColumns.some((column) => column.index === index);
  return columns.find(({ kind, index }) => kind === 'text' && !isTime(index));
}

/** The rows with figures, including sums, as if they were columns. */
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
