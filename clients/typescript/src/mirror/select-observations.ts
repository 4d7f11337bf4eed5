import type { MirrorRecord } from '../../../../src/client/mirror/restore-records.ts';
import { isFiscal, listLastMonths, type PeriodKind, parsePeriod, toOrdinal } from './period.ts';

export interface ObservationFilters {
  /** First period, inclusive, such as `2026-01-31`, `Jan 2026` or `Q1 2026`, or a day in it. */
  readonly from?: string | undefined;
  /** Last period, inclusive. */
  readonly to?: string | undefined;
  /** `desc`, the default, for the newest period first. */
  readonly sort?: 'desc' | 'asc' | undefined;
}

/** A series: its first field is the period of a record. */
export interface SeriesForm {
  readonly name: string;
  readonly kind: PeriodKind;
  readonly dimensions: readonly string[];
}

/** Which months have records that are selected, and which of these are. */
export interface ObservationPlan {
  readonly isOldestFirst: boolean;
  readonly isSelected: (month: string) => boolean;
  /** Those of a month that are selected, in their order. */
  readonly select: (records: readonly MirrorRecord[]) => MirrorRecord[];
}

/** Throws a `TypeError` where a service would reject a parameter. */
export function planObservations(
  { kind, dimensions, name }: SeriesForm,
  { from, to, sort = 'desc', ...values }: ObservationFilters & Readonly<Record<string, unknown>>,
): ObservationPlan {
  if (sort !== 'asc' && sort !== 'desc') throw new TypeError('sort must be asc or desc');
  const first = parseBound('from', from, kind);
  const last = parseBound('to', to, kind);
  if (first !== undefined && last !== undefined && first > last)
    throw new TypeError('from must not be later than to');
  const [firstMonth] = first === undefined ? [''] : listLastMonths(first, kind);
  const [, lastMonth] = last === undefined ? ['', '9999-12'] : listLastMonths(last, kind);
  const wanted = listValues(name, dimensions, values);
  const getOrdinal = (record: MirrorRecord) =>
    toOrdinal(String(Object.values(record)[0]), kind) ?? Number.NaN;
  const isWithin = (record: MirrorRecord) => {
    const ordinal = first === undefined && last === undefined ? 0 : getOrdinal(record);
    return ordinal >= (first ?? Number.NEGATIVE_INFINITY) && ordinal <= (last ?? Infinity);
  };
  return {
    isOldestFirst: sort === 'asc',
    isSelected: (month) => month >= firstMonth && month <= lastMonth,
    select(records) {
      const selected = records.filter(
        (record) =>
          wanted.every(([field, texts]) => texts.includes(String(record[field]))) &&
          isWithin(record),
      );
      // Those of one period stay in their order.
      return sort === 'asc' ? selected.sort((a, b) => getOrdinal(a) - getOrdinal(b)) : selected;
    },
  };
}

function parseBound(name: string, text: string | undefined, kind: PeriodKind): number | undefined {
  const ordinal = text === undefined ? undefined : parsePeriod(String(text), kind);
  if (text === undefined || ordinal !== undefined) return ordinal;
  throw new TypeError(`${name} must be ${describePeriod(kind)}, not "${text}"`);
}

function describePeriod(kind: PeriodKind): string {
  const description = DESCRIPTIONS[kind.unit];
  if (!isFiscal(kind)) return description;
  return description.replace(' or 2024-Q1', '').replace('2024', 'FY2024');
}

const DESCRIPTIONS: Readonly<Record<PeriodKind['unit'], string>> = {
  day: 'a calendar day as YYYY-MM-DD',
  week: 'a week such as 2024-W05, or a day in it as YYYY-MM-DD',
  month: 'a month such as Jan 2024 or 2024-01, or a day in it as YYYY-MM-DD',
  quarter: 'a quarter such as Q1 2024 or 2024-Q1, or a day in it as YYYY-MM-DD',
  year: 'a year such as 2024, or a day in it as YYYY-MM-DD',
};

function listValues(
  name: string,
  dimensions: readonly string[],
  values: Readonly<Record<string, unknown>>,
): (readonly [field: string, texts: readonly string[]])[] {
  return Object.entries(values).flatMap(([field, value]) => {
    if (value === undefined) return [];
    if (!dimensions.includes(field)) {
      const known = dimensions.length === 0 ? 'it has none' : `it has ${dimensions.join(', ')}`;
      throw new TypeError(`"${field}" is no dimension of ${name}; ${known}`);
    }
    return [[field, typeof value === 'string' ? value.split(',') : (value as string[])] as const];
  });
}
