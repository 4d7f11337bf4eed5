import type { Dataset } from '../../catalogue/model/dataset.ts';
import { toText } from '../find-header.ts';
import type { SheetProfile } from '../inspect-file.ts';
import { type FieldPlan, isUsed } from './field-plan.ts';

/** Whether several rows are one record: of a month, or of a class of a fund. */
export function hasRepeatedKeys(
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

/** Whether a key of a list occurs twice in one record. */
export function hasRepeatedListKeys(sheet: SheetProfile, fields: readonly FieldPlan[]): boolean {
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
