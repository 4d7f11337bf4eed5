import { normalizeName } from '../../publish/mapping/column-names.ts';
import type { ColumnProfile } from '../profile-column.ts';
import { isAlias } from './aliases.ts';
import type { FieldOrigin } from './field-plan.ts';
import type { PlanContext } from './plan-context.ts';

export function findDayOrigin({ file, sheet }: PlanContext): FieldOrigin | undefined {
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

/** Days that a spreadsheet counts from 1900, in cells that are not formatted as dates. */
export function findSerialColumn(
  field: string,
  columns: readonly ColumnProfile[],
): ColumnProfile | undefined {
  return columns.find(({ name, kind, min = 0, max = 0 }) => {
    const isNamed = isAlias(field, name) || normalizeName(field) === normalizeName(name);
    return kind === 'number' && isNamed && min > 20_000 && max < 80_000;
  });
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
