import type { Dataset } from '../../catalogue/model/dataset.ts';
import type { Mapping } from '../../publish/mapping/mapping.ts';
import { toText } from '../find-header.ts';
import type { FileProfile, SheetProfile } from '../inspect-file.ts';
import type { ColumnProfile } from '../profile-column.ts';
import type { FieldPlan } from './field-plan.ts';
import { inferOptions, type ValueOptions } from './infer-options.ts';
import { getTargets, planFields } from './plan-fields.ts';

/** How the rows of a table become records. */
export interface RowsPlan {
  readonly dataset: Dataset;
  readonly file: FileProfile;
  /** The sheets with the table; the first is what the plan was made from. */
  readonly sheets: readonly [SheetProfile, ...SheetProfile[]];
  readonly fields: readonly FieldPlan[];
  /** Whether rows with the same key have to be added up. */
  readonly hasSums: boolean;
  readonly options: ValueOptions & Pick<Mapping, 'repeatedKeys'>;
  readonly questions: readonly string[];
  /** Why a mapping does not suffice; empty where it does. */
  readonly reasons: readonly string[];
}

/** Plans a table; undefined where no sheet has a header. */
export function planRows(dataset: Dataset, file: FileProfile): RowsPlan | undefined {
  const sheets = findSimilarSheets(file.sheets);
  if (!sheets) return undefined;
  const [sheet] = sheets;
  const fields = planAcross(dataset, file, sheet) ?? planFields(dataset, file, sheet);
  const used = sheet.columns.filter(({ name }) => isUsed(name, fields));
  const { options, questions } = inferOptions(used, file, dataset);
  const hasSums = hasRepeatedKeys(dataset, sheet, fields);
  const plan = { dataset, file, sheets, fields, hasSums };
  return {
    ...plan,
    options: {
      ...options,
      ...(usesTemplate(dataset, fields) && { periods: 'sbp' as const }),
      ...(hasRepeatedListKeys(sheet, fields) && { repeatedKeys: 'add' as const }),
    },
    questions: [
      ...askAboutColumns(used, dataset),
      ...questions,
      ...askAboutScale(used, fields),
      ...askAboutCoupons(dataset, fields),
    ],
    reasons: findReasons(plan, used),
  };
}

/** The fields of quotes with days across the columns, which may be prices or yields. */
function planAcross(
  dataset: Dataset,
  file: FileProfile,
  sheet: SheetProfile,
): FieldPlan[] | undefined {
  const days = sheet.timeColumns.filter(({ kind }) => kind === 'day');
  if (dataset.shape !== 'quotes' || days.length < 2) return undefined;
  const columns = sheet.columns.filter(({ index }) => !days.some((day) => day.index === index));
  const fields = planFields(dataset, file, { ...sheet, columns });
  return fields.map((plan): FieldPlan => {
    if (plan.field === 'date') return { field: 'date', origin: { kind: 'across', part: 'name' } };
    if (plan.field !== 'lastPrice') return plan;
    const check = 'the cells below the days may be something else';
    return { field: 'lastPrice', origin: { kind: 'across', part: 'value' }, check };
  });
}

/** The sheets with the header that most sheets have; of several, the one with the most rows. */
export function findSimilarSheets(
  sheets: readonly SheetProfile[],
): readonly [SheetProfile, ...SheetProfile[]] | undefined {
  const tables = sheets.filter(
    ({ headers, dataRows }) => headers.length > 0 && dataRows.length > 0,
  );
  const groups = Map.groupBy(tables, ({ headers }) =>
    (headers[0]?.names ?? []).map((name) => name.toLowerCase()).join('\t'),
  );
  const size = (group: readonly SheetProfile[]) =>
    group.reduce((sum, { rowCount }) => sum + rowCount, 0);
  const [best] = [...groups.values()].toSorted((a, b) => b.length - a.length || size(b) - size(a));
  const [first, ...others] = best ?? [];
  return first && [first, ...others];
}

export function isUsed(name: string, fields: readonly FieldPlan[]): boolean {
  return fields.some(({ origin }) => {
    if (origin.kind === 'template') return origin.template.includes(`{${name}}`);
    if (origin.kind === 'across') return origin.columns?.includes(name) ?? false;
    return 'column' in origin && origin.column === name;
  });
}

/** Whether several rows are one record: of a month, or of a class of a fund. */
function hasRepeatedKeys(
  { shape, period }: Dataset,
  sheet: SheetProfile,
  fields: readonly FieldPlan[],
): boolean {
  if (shape === 'quotes' || shape === 'reference') return false;
  if (fields.some(({ field }) => field.endsWith(':key'))) return false;
  const keys = shape === 'fund' ? ['fund_id', 'date', 'period', 'class'] : [period?.field ?? ''];
  const origins = fields.filter(({ field }) => keys.includes(field)).map(({ origin }) => origin);
  if (origins.some(({ kind }) => kind === 'section')) return true;
  if (origins.some(({ kind }) => kind === 'across')) return false;
  const names = origins.flatMap((origin) => {
    if (origin.kind === 'template')
      return [...origin.template.matchAll(/\{([^}]+)\}/g)].map(([, name]) => name);
    return origin.kind === 'column' ? [origin.column] : [];
  });
  if (names.length === 0) return false;
  const indexes = sheet.columns
    .filter(({ name }) => names.includes(name))
    .map(({ index }) => index);
  return hasDuplicates(sheet, indexes);
}

const usesTemplate = ({ period }: Dataset, fields: readonly FieldPlan[]) =>
  fields.some(({ field, origin }) => field === period?.field && origin.kind === 'template');

/** Whether a key of a list occurs twice in one record. */
function hasRepeatedListKeys(sheet: SheetProfile, fields: readonly FieldPlan[]): boolean {
  const key = fields.find(({ field }) => field.endsWith(':key'))?.origin;
  if (key?.kind !== 'column') return false;
  const keys = sheet.columns.filter(({ name, kind }) => {
    const isKey = isUsed(name, fields) && kind !== 'number' && kind !== 'percent';
    return name === key.column || isKey;
  });
  return hasDuplicates(
    sheet,
    keys.map(({ index }) => index),
  );
}

function hasDuplicates({ dataRows }: SheetProfile, indexes: readonly number[]): boolean {
  const texts = dataRows.map(({ cells }) =>
    indexes.map((index) => toText(cells[index])).join('\t'),
  );
  return new Set(texts).size < texts.length;
}

function askAboutColumns(used: readonly ColumnProfile[], { name }: Dataset): string[] {
  return used.length > 0 ? [] : [`columns: none looks like a field of ${name}`];
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
  const prices = fields.filter(({ field }) => /Price$/.test(field));
  const large = columns.filter(
    ({ name, max }) =>
      max !== undefined &&
      max > 400 &&
      prices.some(({ origin }) => origin.kind === 'column' && origin.column === name),
  );
  return large.map(
    ({ name, max }) => `scale: prices are per 100 of face value, and ${name} has up to ${max}`,
  );
}

function findReasons(
  {
    file,
    sheets,
    fields,
    hasSums,
    dataset,
  }: Pick<RowsPlan, 'file' | 'sheets' | 'fields' | 'hasSums' | 'dataset'>,
  used: readonly ColumnProfile[],
): string[] {
  const [sheet] = sheets;
  const { totals, sections, notes, headers } = sheet;
  const headerRows = headers[0]?.positions.length ?? 1;
  const kinds = new Set(fields.map(({ origin }) => origin.kind));
  const day = fields.find(({ origin }) => origin.kind === 'day')?.origin;
  // A mapping takes a day in the file's name only as YYYY-MM-DD.
  const isFileDate = day?.kind === 'day' && day.in === 'file' && file.name.includes(day.day);
  const names = used.map(({ name }) => name);
  const needsTargets = getTargets(dataset).lists.size === 0;
  const reasons: readonly (readonly [boolean, string])[] = [
    [sheets.length > 1, `the table is on ${sheets.length} sheets`],
    [headerRows > 1, `${headerRows} rows name the columns`],
    [new Set(names).size < names.length, 'two columns have the same name'],
    [totals.length > 0, 'there are rows with sums'],
    [sheet.end !== undefined, 'another table follows'],
    [findCarried(sheet, fields).length > 0, 'cells hold for the rows below them'],
    [sections.length > 0, 'there are headings between the rows'],
    [notes.length > 0 && file.format !== 'xlsx', 'there are notes below the data'],
    [day !== undefined && !isFileDate, 'the day is in a text'],
    [kinds.has('across'), 'the figures of a row are several records'],
    [kinds.has('figure'), 'figures have a currency'],
    [kinds.has('date'), 'days have a time of day'],
    [kinds.has('percentage'), 'the coupon is in a text'],
    [kinds.has('sheet name'), 'the name of the sheet is a value'],
    [hasSums && needsTargets, 'several rows are one record'],
  ];
  return reasons.flatMap(([applies, reason]) => (applies ? [reason] : []));
}

const CARRIED_KINDS = new Set(['text', 'year', 'quarter', 'month', 'day']);

/** Columns in use that name something once, for the blank cells below it as well. */
export function findCarried(
  { columns, dataRows }: SheetProfile,
  fields: readonly FieldPlan[],
): readonly string[] {
  const [first] = dataRows;
  const carried = columns.filter(
    ({ name, kind, blank, index }) =>
      blank > 0 &&
      CARRIED_KINDS.has(kind) &&
      toText(first?.cells[index]) !== '' &&
      isRequired(name, fields),
  );
  return carried.map(({ name }) => name);
}

/** Whether a field that may not be blank comes from the column. */
function isRequired(name: string, fields: readonly FieldPlan[]): boolean {
  const required = fields.filter(({ field }) => KEY_FIELDS.has(field) || field.endsWith(':key'));
  return isUsed(name, required);
}

const KEY_FIELDS = new Set(['date', 'period', 'year', 'fund_id', 'class']);
