import type { Dataset } from '../../catalogue/model/dataset.ts';
import { type Field, isNumberField } from '../../catalogue/model/field.ts';
import type { PeriodKind } from '../../catalogue/model/period.ts';
import { parseMonthName } from '../../publish/cells/parse-day.ts';
import { normalizeName } from '../../publish/mapping/column-names.ts';
import {
  type FieldTargets,
  getFieldTargets,
  getFundRowTargets,
} from '../../publish/mapping/field-targets.ts';
import { removeAccents } from '../../shared/remove-accents.ts';
import { type CellKind, isTimeKind, isTimePart } from '../cell-kinds.ts';
import { type ColumnProfile, formatBlank, labelColumn, MAX_DISTINCT } from '../profile-column.ts';
import { isAlias } from './aliases.ts';

/** A field of a dataset, and the column that holds it. */
export interface FieldPlan {
  readonly field: string;
  /** Undefined if a person must decide where the field comes from. */
  readonly column?: ColumnProfile;
  /** The remark for a person: what is missing, or that the column is a guess; absent if it is certain. */
  readonly remark?: string;
  /** For a field without a column: candidates in the file. */
  readonly hint?: string;
}

export const getTargets = (dataset: Dataset): FieldTargets =>
  dataset.shape === 'fund' ? getFundRowTargets(dataset) : getFieldTargets(dataset);

/** The column of each field, by name; optional fields without a column are left out. */
export function planFields(dataset: Dataset, columns: readonly ColumnProfile[]): FieldPlan[] {
  const { fields, lists } = getTargets(dataset);
  const single = [...fields].filter(([name]) => !lists.has(name));
  const matches = new Map<string, FieldPlan>();
  for (const isNameOf of [hasName, hasAlias, hasPeriods]) {
    const used = new Set([...matches.values()].map(({ column }) => column));
    const pairs = single.flatMap(([name, { field }]) =>
      columns
        .filter((column) => !matches.has(name) && !used.has(column))
        .filter((column) => canHold(column, field, isKey(name, dataset)))
        .filter((column) => isNameOf(column, name, field))
        .map((column) => ({ field: name, column })),
    );
    // If two fields match a column, or two columns a field, a person must choose.
    for (const { field, column } of pairs) {
      const same = pairs.filter((pair) => pair.field === field || pair.column === column);
      if (same.length > 1 || isNameRepeated(column, columns)) continue;
      matches.set(field, { field, column, ...(isNameOf !== hasName && { remark: 'check' }) });
    }
  }
  const unused = () => columns.filter((column) => !isMatched(column, matches));
  const { column: symbol, remark } = matches.get('symbol') ?? {};
  // The name is not certainly that of symbols: it may be a description, or one of two code columns.
  if (symbol && remark && (isProse(symbol) || unused().some(isCode))) matches.delete('symbol');
  return [...fields].flatMap(([name, { field, isOptional, alternative = '' }]) => {
    const isUndated = name === 'date' && !matches.has('period');
    const isAbsent = (isOptional && !isUndated) || matches.has(alternative);
    return matches.get(name) ?? (isAbsent ? [] : planMissing(name, field, unused()));
  });
}

/** Unused columns that are named like an optional field. */
export function findSimilar(
  dataset: Dataset,
  columns: readonly ColumnProfile[],
  fields: readonly FieldPlan[],
) {
  const unused = columns.filter((column) => !fields.some((plan) => plan.column === column));
  return [...getTargets(dataset).fields].flatMap(([name, { field }]) => {
    if (fields.some((plan) => plan.field === name)) return [];
    const isSimilar = (column: ColumnProfile) =>
      canHold(column, field, isKey(name, dataset)) &&
      isAlias(name, field.description, column.name, true);
    const names = unused.filter(isSimilar).map(labelColumn).join(', ');
    return names === '' ? [] : `Not used, but like ${name}: ${names}.`;
  });
}

const isMatched = (column: ColumnProfile, matches: ReadonlyMap<string, FieldPlan>) =>
  [...matches.values()].some((match) => match.column === column);

type IsNameOf = (column: ColumnProfile, name: string, field: Field) => boolean;

const hasName: IsNameOf = (column, name) =>
  normalizeName(removeAccents(column.name)) === normalizeName(name);

/** Uses the last part of a nested member's name such as `quote.bid`. */
const hasAlias: IsNameOf = (column, name, { description }) =>
  isAlias(name, description, column.name.replace(/^.*\w\.(?=\w)/, ''));

const hasPeriods: IsNameOf = ({ kind }, _, { periodKind }) =>
  periodKind !== undefined && kind === periodKind.unit;

const isNameRepeated = ({ name }: ColumnProfile, columns: readonly ColumnProfile[]) =>
  name === '' || columns.filter((column) => column.name === name).length > 1;

const FIGURE_KINDS: readonly (CellKind | 'mixed')[] = ['number', 'year', 'blank'];

/** The fields that identify a record of a declared dataset. */
export const listDeclaredKeys = ({ period, declaration }: Dataset) =>
  [period, ...(declaration?.dimensions ?? [])].map((each) => each?.field ?? '');

/** Fields without which a row cannot be identified. */
export const isKey = (name: string, dataset?: Dataset) =>
  dataset?.declared
    ? listDeclaredKeys(dataset).includes(name)
    : /^(?:date|period|year|symbol|fund_id|class)$/.test(name);

/** Whether nearly all cells can be values of the field as written; keys must not be blank. */
function canHold(column: ColumnProfile, field: Field, isKey: boolean): boolean {
  const { kind, blank, hasTime, hasUnit, examples } = column;
  if (blank > 0 && isKey) return false;
  if (field.periodKind)
    return kind === field.periodKind.unit || mayStandFor(kind, field.periodKind);
  if (field.kind === 'day') return kind === 'day' && !hasTime;
  if (isNumberField(field))
    return !hasUnit && (FIGURE_KINDS.includes(kind) || (kind === 'percent' && field.kind === kind));
  const choices = field.schema.enum as readonly unknown[] | undefined;
  const known = choices?.map((choice) => String(choice).toLowerCase());
  return examples.every((text) => known?.includes(text.toLowerCase()) ?? true);
}

/** Whether days, or months, may stand for longer periods, of which declarations say when their years begin. */
function mayStandFor(kind: ColumnProfile['kind'], { name, unit, yearStart }: PeriodKind): boolean {
  if (kind === 'day' && name === 'monthly') return true;
  const longer = kind === 'day' ? ['quarter', 'year'] : kind === 'month' ? ['quarter'] : [];
  return yearStart !== null && longer.includes(unit);
}

/** A field that a person must find, with the columns of that name or with matching cells. */
function planMissing(name: string, field: Field, columns: readonly ColumnProfile[]): FieldPlan {
  const { kind, description, requirement, unit, itemFields } = field;
  const text = kind === 'choice' || kind === 'day' ? requirement : description;
  const candidates = columns.filter((column) =>
    [hasName, hasAlias, hasLikeCells].some((is) => is(column, name, field)),
  );
  const join = field.periodKind && candidates.length > 1 ? '; "{A} {B}" joins two columns' : '';
  const cut = candidates.some(({ hasTime }) => hasTime) ? CUT_TIME : '';
  const hint = `may be in ${candidates.map(describeColumn).join(', ')}${join}${cut}`;
  const parts = [
    unit === undefined ? text : `${text}, in ${unit}`,
    ...(itemFields ? [`${name}:key and ${name}:value, or ${name}.KEY for each, or []`] : []),
    ...(candidates.length > 0 ? [hint] : []),
  ];
  return { field: name, remark: parts.join('; '), ...(candidates.length > 0 && { hint }) };
}

const CUT_TIME =
  '; {"of": "{A}", "like": [["^(.{10})", "$1"]]} or findDate in an adapter leaves a time of day out';

function describeColumn(column: ColumnProfile): string {
  const blank = column.blank > 0 ? [`${formatBlank(column)} blank`] : [];
  return `${labelColumn(column)} (${[...column.examples.slice(0, 1), ...blank].join(', ')})`;
}

/** Whether cells are values of a field, or parts of them; a period is never a list key. */
const hasLikeCells: IsNameOf = (column, name, { periodKind, itemFields, kind }) => {
  if (column.blank > 0.5) return false;
  if (periodKind) return isTime(column);
  if (itemFields) return column.kind === 'text' && !isTime(column);
  if (name === 'symbol') return isCode(column) || column.kind === 'isin';
  return column.kind === (name === 'isin' ? name : kind) && column.kind !== 'text';
};

/** A period or a day, or a month or quarter whose year is in another column. */
const isTime = ({ kind, examples }: ColumnProfile) =>
  isTimeKind(kind as CellKind) || (examples.length > 0 && examples.every(isTimePart));

/** Months, or names of months without their year. */
export const isMonths = ({ kind, examples }: ColumnProfile) =>
  kind === 'month' || (kind === 'text' && examples.every((text) => parseMonthName(text)));

/** Whether texts have several words. */
const isProse = ({ kind, examples }: ColumnProfile) =>
  kind === 'text' && examples.every((text) => text.split(/\s+/).length > 2);

/** Whether texts are short, without spaces, and unique. */
const isCode = ({ kind, kinds, distinct, examples }: ColumnProfile) =>
  kind === 'text' &&
  distinct === Math.min(MAX_DISTINCT, kinds.text ?? 0) &&
  examples.every((text) => /^(?=.*[A-Z])(?=.*\d|[A-Z]+$)[\w./&-]{2,20}$/.test(text));
