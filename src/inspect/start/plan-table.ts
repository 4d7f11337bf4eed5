import type { Dataset } from '../../catalogue/model/dataset.ts';
import type { Mapping } from '../../publish/mapping/mapping.ts';
import { toText } from '../find-header.ts';
import type { FileProfile, SheetProfile } from '../inspect-file.ts';
import { askAboutTable } from './ask-about-table.ts';
import { chooseSheets } from './choose-sheets.ts';
import { type FieldPlan, getColumns, isUsed } from './field-plan.ts';
import { inferOptions, leaveScaleOpen, type ValueOptions } from './infer-options.ts';
import { planFields } from './plan-fields.ts';

/** A table whose rows become records. */
export interface TablePlan {
  readonly dataset: Dataset;
  readonly file: FileProfile;
  /** The sheets with the table; the plan is made from the first. */
  readonly sheets: readonly [SheetProfile, ...SheetProfile[]];
  readonly fields: readonly FieldPlan[];
  /** Whether rows with the same key have to be added up. */
  readonly hasSums: boolean;
  readonly options: ValueOptions & Pick<Mapping, 'repeatedKeys'>;
  readonly questions: readonly string[];
  /** The reasons why a mapping does not suffice; empty where it does. */
  readonly reasons: readonly string[];
  /** Columns and sheets that hold no field. */
  readonly unused: readonly string[];
}

/** Plans a table; undefined where no sheet has a header. */
export function planTable(dataset: Dataset, file: FileProfile): TablePlan | undefined {
  const sheets = chooseSheets(dataset, file);
  if (!sheets) return undefined;
  const [sheet] = sheets;
  const fields = planFields(dataset, file, sheet);
  const used = sheet.columns.filter(({ name }) => isUsed(name, fields));
  const { options, questions: open } = inferOptions(used, dataset);
  const plan = { dataset, file, sheets, fields, hasSums: isSummed(dataset, sheet, fields) };
  const questions = [...open, ...askAboutTable({ ...plan, used })];
  return {
    ...plan,
    options: {
      ...options,
      ...leaveScaleOpen(questions),
      ...(isPeriodOfColumns(dataset, fields) && { periods: 'sbp' as const }),
      ...(hasRepeatedListKeys(sheet, fields) && { repeatedKeys: 'add' as const }),
    },
    questions,
    reasons: findReasons(plan),
    unused: [
      ...sheet.columns.map(({ name }) => name).filter((name) => name && !isUsed(name, fields)),
      ...file.sheets.filter((other) => !sheets.includes(other)).map(({ name }) => `sheet ${name}`),
    ],
  };
}

const isPeriodOfColumns = ({ period }: Dataset, fields: readonly FieldPlan[]) =>
  fields.some(({ field, origin }) => field === period?.field && origin.kind === 'template');

/** Whether several rows are one record: of a month, or of a class of a fund. */
function isSummed(
  { shape, period }: Dataset,
  sheet: SheetProfile,
  fields: readonly FieldPlan[],
): boolean {
  if (shape === 'quotes' || shape === 'reference') return false;
  if (fields.some(({ field }) => field.endsWith(':key'))) return false;
  const names = shape === 'fund' ? ['fund_id', 'date', 'period', 'class'] : [period?.field ?? ''];
  const keys = fields.filter(({ field }) => names.includes(field));
  if (keys.some(({ origin }) => origin.kind === 'heading')) return true;
  return hasDuplicates(sheet, keys.flatMap(getColumns));
}

/** Whether a key of a list occurs twice in one record. */
function hasRepeatedListKeys(sheet: SheetProfile, fields: readonly FieldPlan[]): boolean {
  const list = fields.find(({ field }) => field.endsWith(':key'));
  if (list?.origin.kind !== 'column') return false;
  const keys = sheet.columns.filter(
    ({ name, kind }) => isUsed(name, fields) && kind !== 'number' && kind !== 'percent',
  );
  return hasDuplicates(sheet, [...keys.map(({ name }) => name), ...getColumns(list)]);
}

function hasDuplicates({ columns, dataRows }: SheetProfile, names: readonly string[]): boolean {
  if (names.length === 0) return false;
  const keys = columns.filter(({ name }) => names.includes(name));
  const texts = dataRows.map(({ cells }) =>
    keys.map(({ index }) => toText(cells[index])).join('\t'),
  );
  return new Set(texts).size < texts.length;
}

function findReasons(plan: Pick<TablePlan, 'file' | 'sheets' | 'fields' | 'hasSums'>): string[] {
  const { file, sheets, fields, hasSums } = plan;
  const [{ columns, totals, sections, notes, headers, end }] = sheets;
  const headerRows = headers[0]?.positions.length ?? 1;
  const kinds = new Set(fields.map(({ origin }) => origin.kind));
  const day = fields.find(({ origin }) => origin.kind === 'day')?.origin;
  // A mapping takes a day in the file's name only as YYYY-MM-DD.
  const isFileDate = day?.kind === 'day' && day.in === 'file' && file.name.includes(day.day);
  const names = columns.map(({ name }) => name).filter((name) => isUsed(name, fields));
  const reasons: readonly (readonly [boolean, string])[] = [
    [sheets.length > 1, `the table is on ${sheets.length} sheets`],
    [headerRows > 1, `${headerRows} rows name the columns`],
    [new Set(names).size < names.length, 'two columns have the same name'],
    [totals.length > 0, 'there are rows with sums'],
    [end !== undefined, 'another table follows'],
    [sections.length > 0, 'there are headings between the rows'],
    [notes.length > 0 && file.format !== 'xlsx', 'there are notes below the data'],
    [day !== undefined && !isFileDate, 'the day is in a text'],
    [kinds.has('figure'), 'figures have a currency'],
    [kinds.has('date'), 'days have a time of day'],
    [kinds.has('percentage'), 'the coupon is in a text'],
    [kinds.has('sheet name'), 'the name of the sheet is a value'],
    [hasSums, 'several rows are one record'],
  ];
  return reasons.flatMap(([applies, reason]) => (applies ? [reason] : []));
}
