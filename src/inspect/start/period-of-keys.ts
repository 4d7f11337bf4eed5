import type { PeriodKind } from '../../catalogue/model/period.ts';
import { classifyCell } from '../cell-kinds.ts';
import type { JsonShape } from '../json-shape.ts';

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
