import type { PeriodKind } from '../../catalogue/model/period.ts';
import { classifyCell } from '../cell-kinds.ts';
import type { FileProfile, SheetProfile } from '../inspect-file.ts';
import type { JsonShape } from '../json-shape.ts';
import type { ColumnProfile } from '../profile-column.ts';
import type { FieldOrigin } from './field-plan.ts';

export function findDayOrigin(file: FileProfile, sheet: SheetProfile): FieldOrigin | undefined {
  const [title] = sheet.days;
  if (title) return { kind: 'day', in: 'title', day: title.day };
  if (sheet.day) return { kind: 'day', in: 'sheet', day: sheet.day };
  return file.day === undefined ? undefined : { kind: 'day', in: 'file', day: file.day };
}

const OTHER_DAY = /issue|list|coupon|settle|call|put|next|prev|record|start|matur|reset/i;

/** The only column of days that are not those of something else. */
export function findOnlyDayColumn(columns: readonly ColumnProfile[]): ColumnProfile | undefined {
  const days = columns.filter(({ kind, name }) => kind === 'day' && !OTHER_DAY.test(name));
  return days.length === 1 ? days[0] : undefined;
}

const MONTH_NAME = /^(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*$/i;

/** A month or quarter in one column, and its year in another. */
export function findPeriodTemplate(
  columns: readonly ColumnProfile[],
  period: 'annual' | 'quarterly' | 'monthly',
): string | undefined {
  const year = columns.find(({ kind }) => kind === 'year');
  if (!year || period === 'annual') return undefined;
  const pattern = period === 'monthly' ? MONTH_NAME : /^Q[1-4]$/i;
  const part = columns.find(
    ({ examples }) => examples.length > 0 && examples.every((text) => pattern.test(text)),
  );
  if (part) return `{${part.name}} {${year.name}}`;
  const number = columns.find(
    ({ name, kind }) => kind === 'number' && /^(?:quarter|qtr|q)$/i.test(name),
  );
  return period === 'quarterly' && number ? `Q{${number.name}} {${year.name}}` : undefined;
}

export interface PeriodOfKeys {
  /** The code of the period, such as `${keys[1]} ${keys[0]}`. */
  readonly code: string;
  /** The index of the last of its keys. */
  readonly last: number;
}

/** The period of this kind in the names above objects of JSON: `data.2024.Q1`. */
export function findPeriodOfKeys(
  { keys }: Pick<JsonShape, 'keys'>,
  { unit }: Pick<PeriodKind, 'unit'>,
): PeriodOfKeys | undefined {
  const find = (pattern: RegExp) =>
    keys.findIndex((names) => names.length > 0 && names.every((name) => pattern.test(name)));
  const name = (index: number) => `\${keys[${index}]}`;
  const whole = keys.findIndex((names) => names.every((text) => classifyCell(text).kind === unit));
  if (whole >= 0) return { code: `keys[${whole}] ?? ''`, last: whole };
  const year = find(/^(?:FY)?(?:19|20)\d\d(?:-\d\d)?$/i);
  if (year < 0) return undefined;
  const part = find(
    /^(?:[qh][1-4]|[1-4]q|(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*)$/i,
  );
  const quarter = find(/^[1-4]$/);
  if (part >= 0) return { code: `\`${name(part)} ${name(year)}\``, last: Math.max(part, year) };
  if (quarter < 0) return { code: `keys[${year}] ?? ''`, last: year };
  return { code: `\`Q${name(quarter)} ${name(year)}\``, last: Math.max(quarter, year) };
}
