import fc from 'fast-check';
import type { AnyRecord, Dataset } from '../../src/catalogue/model/dataset.ts';

/** One of a few keys of a dataset, and one of a few records that have it. */
export interface Touch {
  readonly slot: number;
  readonly variant: number;
}

const SLOTS = 9;
const FIRST_PLACE = { annual: 2_015, quarterly: 2_015 * 4, monthly: 2_015 * 12 };

/** So few keys and records that histories meet the same ones again and again. */
export const anyTouch: fc.Arbitrary<Touch> = fc.record({
  slot: fc.nat(SLOTS - 1),
  variant: fc.nat(3),
});

const days = ['2025-12-31', '2026-01-01', '2026-02-28'] as const;
const symbols = ['AAA', 'ZZ1', 'bbb'];
const isins = ['ZZ1', 'ZZ2'];
const types = ['tbill', 'bond'];

/** The record of a dataset that a touch means; other slots are other keys. */
export function recordOf(dataset: Dataset, { slot, variant }: Touch): AnyRecord {
  const { example, period } = dataset;
  if (period) {
    const label = period.kind.formatLabel(FIRST_PLACE[period.kind.name] + slot);
    // A label may be written in another way and still be the same period.
    const other = period.kind.name === 'annual' && variant > 1 ? annualAlias(label) : label;
    return { ...example, ...figure(dataset, variant), [period.field]: other };
  }
  if (dataset.shape === 'fund') {
    const id = `fund-${'abcdefghi'[slot]}`;
    const modified = `2026-01-0${variant + 1}T00:00:00Z`;
    return { ...example, fund_id: variant > 1 ? id.toUpperCase() : id, modified };
  }
  const [date, symbol] = [days[slot % 3], symbols[Math.floor(slot / 3)]];
  const [isin, type] = [isins[variant % 2], types[Math.floor(variant / 2)]];
  return { ...example, date, symbol, isin, type };
}

/** The key of a record as a person writes it. */
export function writtenKey({ period, shape }: Dataset, record: AnyRecord): string {
  if (period) return String(record[period.field]);
  return String(shape === 'fund' ? record.fund_id : `${record.date}/${record.symbol}`);
}

const maybe = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined });

/** A question about quotes: by security, type and days, up to a limit. */
export const anyQuery = fc
  .record({
    security: maybe(fc.constantFrom(...symbols, ...isins, 'Bbb', 'nobody')),
    type: maybe(fc.constantFrom(...types)),
    dateRange: maybe(fc.tuple(fc.constantFrom(...days), fc.constantFrom(...days))),
    limit: fc.constantFrom(1, 2, 100),
  })
  .map(({ limit, ...rest }) => {
    const given = Object.entries(rest).filter(([, value]) => value !== undefined);
    return { limit, ...(Object.fromEntries(given) as Partial<Given>) };
  });

interface Given {
  readonly security: string;
  readonly type: string;
  readonly dateRange: readonly [string, string];
}

export type Query = typeof anyQuery extends fc.Arbitrary<infer T> ? T : never;

function annualAlias(year: string): string {
  return `${Number(year) - 1}-${year.slice(2)}`;
}

/** A field of a series with a figure that differs from variant to variant. */
function figure({ fields }: Dataset, variant: number): AnyRecord {
  const numbers = Object.entries(fields).find(([, { schema }]) => schema.type !== 'string');
  const [name = '', field] = numbers ?? [];
  return { [name]: field?.itemFields ? [{ key: 'a', value: variant }] : variant };
}
