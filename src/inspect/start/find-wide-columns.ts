import type { PeriodUnit } from '../../catalogue/model/period-unit.ts';
import { classifyCell, isTimeKind } from '../cell-kinds.ts';
import { type ColumnProfile, hasFigures } from '../profile-column.ts';
import type { TimeColumn } from '../profile-table.ts';

/** Columns whose names are values: of the period, or of a dimension. */
export interface WideColumns {
  readonly columns: readonly ColumnProfile[];
  /** Undefined if the names are those of a dimension. */
  readonly period?: { readonly kind: PeriodUnit; readonly needsConversion: boolean };
  /** The name of the field. */
  readonly name: string;
}

/** More measures than a declaration may have. */
const MAX_MEASURES = 40;
const MIN_COLUMNS = 4;
const CODED_SHARE = 0.8;

/** Names that are codes, and what these are codes of. */
const CODES: readonly (readonly [name: string, pattern: RegExp])[] = [
  ['tenor', /^\d+(?:\.\d+)?[ _-]?(?:d|w|m|y|mo|mos|yr|yrs|days?|weeks?|months?|years?)\.?$/i],
  ['currency', /^[A-Z]{3}$/],
  ['code', /^[A-Z][A-Z0-9&.]{1,7}$/],
];

/** The columns of a table that are better read as values of one field; undefined if there are none. */
export function findWideColumns(
  columns: readonly ColumnProfile[],
  timeColumns: readonly TimeColumn[],
): WideColumns | undefined {
  const periods = timeColumns.filter(({ item }) => item === '');
  const [first] = periods;
  if (first && periods.length > 1 && periods.every(({ kind }) => kind === first.kind)) {
    const names = periods.flatMap(({ index }) => columns[index]?.name ?? []);
    const needsConversion = names.some((name) => classifyCell(name).needsConversion);
    if (!isTimeKind(first.kind)) return undefined;
    return {
      columns: periods.flatMap(({ index }) => columns[index] ?? []),
      period: { kind: first.kind, needsConversion },
      name: first.kind,
    };
  }
  const figures = columns.filter((column) => column.name !== '' && hasFigures(column));
  const coded = CODES.map(([name, pattern]) => {
    const matching = figures.filter((column) => pattern.test(column.name));
    return { name, columns: matching };
  }).find(
    (found) =>
      found.columns.length >= MIN_COLUMNS && found.columns.length >= CODED_SHARE * figures.length,
  );
  if (coded) return coded;
  return figures.length > MAX_MEASURES ? { name: 'series', columns: figures } : undefined;
}
