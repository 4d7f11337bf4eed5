import type { Dataset } from '../../catalogue/model/dataset.ts';
import type { FileProfile, SheetProfile } from '../inspect-file.ts';
import type { ColumnProfile } from '../profile-column.ts';
import { hasTable } from './choose-sheets.ts';
import { type FieldPlan, getColumns, isUsed } from './field-plan.ts';

/** A table, its fields, and the columns that they come from. */
interface TableFields {
  readonly dataset: Dataset;
  readonly file: FileProfile;
  readonly sheets: readonly [SheetProfile, ...SheetProfile[]];
  readonly fields: readonly FieldPlan[];
  readonly used: readonly ColumnProfile[];
  readonly hasSums: boolean;
}

/** The questions that a table leaves open, besides those about how its values are written. */
export function askAboutTable(table: TableFields): string[] {
  const { dataset, sheets, fields, used, hasSums } = table;
  return [
    ...(used.length > 0 ? [] : [`columns: none looks like a field of ${dataset.name}`]),
    ...askAboutSheets(table),
    ...askAboutAcross(table),
    ...askAboutBlankKeys(table),
    ...askAboutScale(used, fields),
    ...askAboutFractions(used, fields),
    ...askAboutUnits(sheets[0], dataset),
    // A row that is a sum itself would be counted twice.
    ...(hasSums
      ? ['rows: those of one record are added up; leave out any that are sums themselves']
      : []),
    ...askAboutCoupons(dataset, fields),
  ];
}

/** Sheets with a table of other columns, where one on several sheets is read. */
function askAboutSheets({ file, sheets }: TableFields): string[] {
  const names = findOtherTables(file, sheets).map(({ name }) => name);
  if (sheets.length < 2 || names.length === 0) return [];
  return [`sheets: other columns are on ${names.join(', ')}; leave them out, or read them as well`];
}

export const findOtherTables = (file: FileProfile, sheets: readonly SheetProfile[]) =>
  file.sheets.filter((sheet) => hasTable(sheet) && !sheets.includes(sheet));

/** Days or classes that are columns, of which a row has several records. */
function askAboutAcross({ dataset, sheets: [sheet], fields }: TableFields): string[] {
  const isMissing = (name: string) =>
    fields.some(({ field, origin }) => field === name && origin.kind === 'missing');
  const isFigure = ({ name, kind }: ColumnProfile) =>
    (kind === 'number' || kind === 'percent') && !isUsed(name, fields);
  const days = sheet.timeColumns.filter(({ kind }) => kind === 'day').map(({ label }) => label);
  const figures = sheet.columns.filter(isFigure).map(({ name }) => name);
  const classes = dataset.shape === 'fund' && isMissing('value') ? figures : [];
  const columns = dataset.shape === 'quotes' ? days : classes;
  if (columns.length < 2) return [];
  return [
    `columns: ${columns.join(', ')} may be one record each, which unpivot in an adapter makes`,
  ];
}

const KEY_FIELDS = new Set(['date', 'period', 'year', 'fund_id', 'class']);

/** Blank cells that may hold what stands above them. */
function askAboutBlankKeys({ fields, used }: TableFields): string[] {
  const keys = fields.filter(({ field }) => KEY_FIELDS.has(field) || field.endsWith(':key'));
  const blank = used.filter(({ name, blank }) => blank > 0 && isUsed(name, keys));
  return blank.map(({ name }) => {
    const field = keys.find((plan) => getColumns(plan).includes(name))?.field;
    return `${field}: ${name} has blank cells; fill them in where the cell above holds for them`;
  });
}

/** Durations, and yields that are not given, are computed from prices and coupons. */
export function askAboutCoupons({ shape }: Dataset, fields: readonly FieldPlan[]): string[] {
  const has = (name: string) => fields.some(({ field }) => field === name);
  if (shape !== 'quotes' || has('couponRate') || (has('ytm') && has('duration'))) return [];
  return [
    'couponRate: no column has coupons; give it, or pricing, or "uncomputable": "zero", unless all are bills or their terms are loaded',
  ];
}

/** Prices are per 100 of face value: others have to be scaled. */
function askAboutScale(columns: readonly ColumnProfile[], fields: readonly FieldPlan[]): string[] {
  const prices = fields.filter(
    ({ field, origin }) => /Price$/.test(field) && origin.kind === 'column',
  );
  const large = columns.filter(({ name, max = 0 }) => max > 400 && isUsed(name, prices));
  return large.map(
    ({ name, max }) => `scale: prices are per 100 of face value, and ${name} has up to ${max}`,
  );
}

const PERCENT_FIELDS = new Set(['ytm', 'couponRate', 'value']);

/** More than any class has of a fund, in percent, even where it has borrowed. */
const MAX_SHARE = 1_000;

/** Percentages are 13.5, not 0.135. */
function askAboutFractions(
  columns: readonly ColumnProfile[],
  fields: readonly FieldPlan[],
): string[] {
  const percentages = fields.filter(({ field }) => PERCENT_FIELDS.has(field));
  return percentages.flatMap(({ field, origin }) => {
    const column = columns.find(({ name }) => 'column' in origin && origin.column === name);
    if (column?.max === undefined || column.max <= 0) return [];
    if (field === 'value' && column.max > MAX_SHARE)
      return [
        `shares: value is in percent, and ${column.name} has up to ${column.max}; sharesOfTotal in an adapter divides amounts`,
      ];
    if (column.max > 1) return [];
    return [`scale: ${field} is in percent, and ${column.name} has no more than ${column.max}`];
  });
}

/** A unit with some words around it. */
const UNIT =
  /.{0,25}(\b(?:thousands?|lakhs?|lacs?|crores?|millions?|billions?|trillions?|mn|bn)\b|'000).{0,10}/i;

/** A unit that the file names, where it is not that of a series. */
export function askAboutUnits(sheet: SheetProfile, { fields, period }: Dataset): string[] {
  const names = sheet.columns.map(({ name }) => name);
  const texts = [...sheet.titles.map(({ text }) => text), ...names];
  const [found, unit = ''] = texts.map((text) => UNIT.exec(text)).find((match) => match) ?? [];
  const units = [...new Set(Object.values(fields).flatMap((field) => field.unit ?? []))].join(', ');
  if (!period || found === undefined || units === '') return [];
  if (units.includes(unit.toLowerCase().replace(/s$/, ''))) return [];
  return [`scale: the file says ${JSON.stringify(found.trim())}, and the dataset is in ${units}`];
}
