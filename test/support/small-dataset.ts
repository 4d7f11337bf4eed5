import fc from 'fast-check';
import type { AnyRecord, Dataset } from '../../src/catalogue/model/dataset.ts';
import { getKeyFields } from '../../src/schema/key-fields.ts';

/** One of a few keys of a dataset, and one of a few records that have it. */
export interface RecordVariant {
  readonly slot: number;
  readonly variant: number;
}

const SLOTS = 9;
const FIRST_YEAR = 2_015;

/** So few keys and records that histories meet the same ones again and again. */
export const anyRecordVariant: fc.Arbitrary<RecordVariant> = fc.record({
  slot: fc.nat(SLOTS - 1),
  variant: fc.nat(3),
});

const DAYS = ['2025-12-31', '2026-01-01', '2026-02-28'] as const;
const SYMBOLS = ['AAA', 'ZZ0000000017', 'bbb'];
/** Of the form of an ISIN, by which quotes are looked up in another way; one is a symbol too. */
const ISINS = ['ZZ0000000017', 'ZZ0000000025'];
const TYPES = ['tbill', 'bond'];

/** The record of a dataset that a touch means; other slots are other keys. */
export function buildRecord(dataset: Dataset, { slot, variant }: RecordVariant): AnyRecord {
  const { example, period } = dataset;
  if (period) {
    const label = period.kind.formatLabel(FIRST_YEAR * period.kind.periodsPerYear + slot);
    // A label may be written in another way and still be the same period, of the same kind.
    const spelling = period.kind.name === 'annual' ? formatFiscalYear(label, variant) : label;
    return { ...example, ...buildFigure(dataset, variant), [period.field]: spelling };
  }
  if (dataset.shape === 'reference') {
    const [field = ''] = Object.keys(dataset.fields);
    const id = `${field}-${'abcdefghi'[slot]}`;
    // Names of datasets are keys, and have no capital letters.
    if (field === 'name') return { ...example, name: id, title: `title ${variant}` };
    const name = variant % 2 === 0 ? null : `name ${variant}`;
    const differing = 'name' in dataset.fields ? { name } : buildFigure(dataset, variant);
    return { ...example, [field]: variant > 1 ? id.toUpperCase() : id, ...differing };
  }
  if (dataset.shape === 'fund') {
    const id = `fund-${'abcdefghi'[slot]}`;
    const modified = `2026-01-0${variant + 1}T00:00:00Z`;
    return { ...example, fund_id: variant > 1 ? id.toUpperCase() : id, modified };
  }
  const [date, symbol] = [DAYS[slot % 3], SYMBOLS[Math.floor(slot / 3)]];
  const [isin, type] = [ISINS[variant % 2], TYPES[Math.floor(variant / 2)]];
  return { ...example, date, symbol, isin, type };
}

/** The key of a record as a person writes it. */
export function formatKey(dataset: Dataset, record: AnyRecord): string {
  const { period, shape } = dataset;
  if (period) return String(record[period.field]);
  if (shape === 'reference')
    return getKeyFields(dataset)
      .map((field) => record[field])
      .join('/');
  return String(shape === 'fund' ? record.fund_id : `${record.date}/${record.symbol}`);
}

export const maybe = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined });

const anyDay = fc.constantFrom(...DAYS);

const NAMES = [...new Set([...SYMBOLS, ...ISINS]), 'Bbb', 'nobody'];

/** A question about quotes: by one or several securities, type and days, up to a limit. */
export const anyQuery = fc
  .record({
    security: maybe(fc.constantFrom(...NAMES)),
    securities: maybe(fc.shuffledSubarray(NAMES.slice(0, -2), { minLength: 2 })),
    isOldestFirst: maybe(fc.constant(true)),
    type: maybe(fc.constantFrom(...TYPES)),
    dateRange: maybe(fc.tuple(anyDay, anyDay).map(([a, b]) => [a, b].toSorted())),
    limit: fc.constantFrom<number>(1, 2, 100),
  })
  .map(({ limit, security, securities, isOldestFirst, ...rest }) => {
    const selection = {
      ...rest,
      ...(securities ? { securities } : { security }),
      ...(rest.dateRange && { isOldestFirst }),
    };
    const defined = Object.entries(selection).filter(([, value]) => value !== undefined);
    return { limit, ...(Object.fromEntries(defined) as Partial<QuoteFilters>) };
  });

/** One about a single day, or the newest one: the most complex statements, of one security at most. */
export const anyDayQuery: fc.Arbitrary<Query> = fc
  .record({
    security: fc.option(fc.constantFrom(...NAMES), { nil: undefined, freq: 2 }),
    type: maybe(fc.constantFrom(...TYPES)),
    dateRange: fc.option(
      anyDay.map((day): readonly [string, string] => [day, day]),
      { nil: undefined, freq: 3 },
    ),
    limit: fc.constantFrom<number>(2, 100),
  })
  .map(({ limit, ...rest }) => {
    const defined = Object.entries(rest).filter(([, value]) => value !== undefined);
    return { limit, ...(Object.fromEntries(defined) as Partial<QuoteFilters>) };
  });

interface QuoteFilters {
  readonly security: string;
  readonly securities: readonly string[];
  readonly isOldestFirst: true;
  readonly type: string;
  readonly dateRange: readonly [string, string];
}

export type Query = typeof anyQuery extends fc.Arbitrary<infer T> ? T : never;

/** The target of a request for quotes. */
export function formatQuoteTarget(query: Query): string {
  const { security, securities, type, dateRange, isOldestFirst, limit } = query;
  const [from, to] = dateRange ?? [];
  const symbol = securities?.join() ?? security;
  const sort = isOldestFirst && 'asc';
  const parameters = Object.entries({ symbol, type, from, to, sort, limit: String(limit) });
  const pairs = parameters.filter((pair): pair is [string, string] => pair[1] !== undefined);
  return `/2.0/bnb/quotes?${new URLSearchParams(pairs)}`;
}

/** A year such as FY15, or FY2015, which is the same. */
function formatFiscalYear(year: string, variant: number): string {
  return variant > 1 ? `FY${year}` : `FY${year.slice(-2)}`;
}

/** A field of a series with a figure that differs from variant to variant. */
function buildFigure({ fields }: Dataset, variant: number): AnyRecord {
  const numbers = Object.entries(fields).find(([, { schema }]) => schema.type !== 'string');
  const [name = '', field] = numbers ?? [];
  return { [name]: field?.itemFields ? [{ key: 'a', value: variant }] : variant };
}
