import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { fundAllocation } from '../../src/catalogue/datasets/fund-allocation.ts';
import { quotes } from '../../src/catalogue/datasets/quotes.ts';
import {
  atmTransactionsAnnualVolume,
  mobileMoneyAccountsMale,
  mobileMoneyMarketShareValue,
} from '../../src/catalogue/datasets/series/index.ts';
import { catalogue } from '../../src/catalogue/index.ts';
import type { AnyRecord, Dataset } from '../../src/catalogue/model/dataset.ts';
import { annual, monthly, type PeriodKind, quarterly } from '../../src/catalogue/model/period.ts';
import { findPeriodCorrections } from '../../src/publish/quality/corrected-periods.ts';
import { findPeriodGaps } from '../../src/publish/quality/history-warnings.ts';
import { findRecordWarnings } from '../../src/publish/quality/record-warnings.ts';
import { WARNING_RULES } from '../../src/publish/quality/warning-rules.ts';
import { readFixture } from '../support/fixtures.ts';
import { quote } from '../support/quote-fixture.ts';

/** The warnings about a dataset's example with these values. */
function findWarnings(dataset: Dataset, overrides: AnyRecord): string[] {
  const warnings = findRecordWarnings(dataset, { ...(dataset.example as AnyRecord), ...overrides });
  return warnings.map(({ rule, field, text }) => `${rule} (${field}): ${text}`);
}

test('no example and no fixture has a warning but of fractions of agents', () => {
  const fractions: unknown[] = [];
  for (const dataset of catalogue) {
    for (const record of [dataset.example as AnyRecord, ...readFixture(dataset)]) {
      const warnings = findRecordWarnings(dataset, record);
      // A price of a fixture shows that no digit of a double is lost.
      const others = warnings.filter(({ value }) => value !== 0.1 + 0.2);
      const isFraction = ({ rule }: { rule: string }) => rule === 'fractional-count';
      fractions.push(...others.filter(isFraction).map(({ value }) => value));
      expect(others.filter((warning) => !isFraction(warning))).toEqual([]);
    }
  }
  // The specification allows them, and the fixture shows that they are kept.
  expect(fractions).toEqual([615500.5, 81000.25]);
});

test('every consistency check of the catalogue has a warning rule', () => {
  const names = catalogue.flatMap(({ checks }) => checks.map(({ name }) => name));
  expect(Object.keys(WARNING_RULES)).toEqual(expect.arrayContaining(names));
  expect(new Set(names).size).toBe(5);
});

test('every consistency check names a field of its dataset', () => {
  for (const { fields, checks } of catalogue) {
    for (const { field } of checks) expect(Object.keys(fields)).toContain(field);
  }
});

describe('a single quote', () => {
  test('has a warning for an ISIN with a wrong check digit, each time', () => {
    for (const isin of ['ZZ0624197585', 'ZZ0624197585', 'zz0624197586', 'none']) {
      expect(findWarnings(quotes, { isin })).toEqual([
        `isin-check-digit (isin): isin ${isin} is not of the form of ISO 6166, or its check digit is wrong`,
      ]);
    }
  });

  test('has a warning if the bid is above the ask and both are orders', () => {
    expect(findWarnings(quotes, { bidPrice: 95.5, askPrice: 95.4 })).toEqual([
      'bid-above-ask (bidPrice): bidPrice 95.5 is above askPrice 95.4',
    ]);
    expect(findWarnings(quotes, { bidPrice: 95.5, askPrice: 95.5 })).toEqual([]);
    expect(findWarnings(quotes, { bidPrice: 95.5, askPrice: 0 })).toEqual([]);
    expect(findWarnings(quotes, { bidPrice: 0, askPrice: 95.5 })).toEqual([]);
  });

  test('has a warning if its date is after the maturity', () => {
    expect(findWarnings(quotes, { date: '2026-12-04' })).toEqual([
      'maturity-before-date (maturityDate): maturityDate 2026-12-03 is before the date of the quote, 2026-12-04',
    ]);
    expect(findWarnings(quotes, { date: '2026-12-03' })).toEqual([]);
  });

  test.each(['bidPrice', 'askPrice', 'lastPrice', 'bidVolume', 'askVolume', 'volume', 'duration'])(
    'has a warning if its %s is below 0',
    (field) => {
      expect(findWarnings(quotes, { [field]: -1 })).toContain(
        `negative-figure (${field}): ${field} -1 is below 0`,
      );
    },
  );

  test('can have several warnings', () => {
    const warnings = findRecordWarnings(
      quotes,
      quote({ isin: 'x', date: '2027-01-01', bidPrice: 99 }),
    );
    expect(warnings.map(({ rule, value }) => [rule, value])).toEqual([
      ['bid-above-ask', 99],
      ['isin-check-digit', 'x'],
      ['maturity-before-date', '2026-12-03'],
    ]);
  });
});

describe('consistency checks', () => {
  test('name the components, the total and the tolerance', () => {
    expect(findWarnings(atmTransactionsAnnualVolume, { total: 1011.2 })).toEqual([
      'parts-off-total (total): atm_cash + atm_deposit + deposit_instrument + funds_transfer + utility_bills + funds_transfers = 1010.8, total says 1011.2; off by 0.4, tolerance 0.35',
    ]);
    expect(findWarnings(atmTransactionsAnnualVolume, { total: 1011.1 })).toEqual([]);
    expect(findWarnings(atmTransactionsAnnualVolume, { total: 1010.5 })).toEqual([]);
  });

  test('accept a deviation of exactly the tolerance', () => {
    const [series] = catalogue.filter(({ name }) => name === 'atm-transactions-quarterly-value');
    const parts = ['cash_withdrawl', 'intra_bank', 'inter_bank', 'utility_bills', 'cash_deposits'];
    fc.assert(
      fc.property(fc.array(fc.nat(99_999), { minLength: 5, maxLength: 5 }), (tenths) => {
        const record = Object.fromEntries(
          parts.map((part, index) => [part, (tenths[index] ?? 0) / 10]),
        );
        const sum = tenths.reduce((total, part) => total + part, 0);
        if (!series) throw new Error('the series is gone');
        expect(findWarnings(series, { ...record, total: (sum + 3) / 10 })).toEqual([]);
        expect(findWarnings(series, { ...record, total: (sum - 3) / 10 })).toEqual([]);
        expect(findWarnings(series, { ...record, total: (sum + 4) / 10 })).toHaveLength(1);
        expect(findWarnings(series, { ...record, total: (sum - 4) / 10 })).toHaveLength(1);
      }),
    );
  });

  test('require shares to add up to 1', () => {
    const shares = (...values: number[]) => ({
      operators: values.map((value, index) => ({ key: `operator${index}`, value })),
    });
    expect(findWarnings(mobileMoneyMarketShareValue, shares(0.7, 0.2, 0.1))).toEqual([]);
    expect(findWarnings(mobileMoneyMarketShareValue, shares(0.7, 0.2, 0.08))).toEqual([
      'shares-off-one (operators): operators add up to 0.98, not to 1; off by 0.02, tolerance 1e-9',
    ]);
    expect(findWarnings(mobileMoneyMarketShareValue, shares(0.5, 0.500000002))).toHaveLength(1);
  });

  test('allow provinces to be less than the nation, but not more', () => {
    const nation = (national: number) => findWarnings(mobileMoneyAccountsMale, { national });
    expect(nation(47352600)).toEqual([]);
    expect(nation(47352599)).toEqual([
      'list-above-total (national): provinces add up to 47352600, national says 47352599; above it by 1, tolerance 0',
    ]);
  });

  test('require the rows of each fund period to add up to 100', () => {
    const fund = (...values: [number, number]) =>
      findWarnings(fundAllocation, {
        rows: [
          { label: 'Cash', values: [10, 20] },
          { label: 'Bills', values },
        ],
      });
    expect(fund(90.1, 79.9)).toEqual([]);
    expect(fund(90, 79.8)).toEqual([
      'rows-off-100 (rows): the rows of "May 2026" add up to 99.8, not to 100; off by 0.2, tolerance 0.15',
    ]);
    expect(fund(95, 79.8)).toEqual([
      'rows-off-100 (rows): the rows of "Jun 2026" add up to 105, not to 100; off by 5, tolerance 0.15; if rows are gross, they may exceed it; 2 periods are off in all',
    ]);
  });
});

describe('gaps in periods', () => {
  const findGaps = (kind: PeriodKind, ordinals: readonly number[], field = 'period') =>
    findPeriodGaps({ period: { kind, field } }, ordinals);
  const gaps = (...parameters: Parameters<typeof findGaps>) =>
    findGaps(...parameters).map(({ rule, field, value, text }) => [rule, field, value, text]);

  test('are none in consecutive periods, in any order and repeated', () => {
    expect(findGaps(monthly, [])).toEqual([]);
    expect(findGaps(monthly, [24_311])).toEqual([]);
    expect(findGaps(monthly, [24_313, 24_311, 24_312, 24_311])).toEqual([]);
  });

  test('are named, with the field that holds the period', () => {
    expect(gaps(annual, [2025, 2021, 2023], 'year')).toEqual([
      ['period-gap', 'year', '2022', '2 missing from 2021 to 2025: 2022, 2024'],
    ]);
    expect(gaps(quarterly, [8095, 8097])).toEqual([
      ['period-gap', 'period', 'Q1 2024', '1 missing from Q4 2023 to Q2 2024: Q1 2024'],
    ]);
  });

  test('are those that begin or end with a new period, if others were published before', () => {
    const find = (ordinals: readonly number[], published: readonly number[]) =>
      findPeriodGaps({ period: { kind: annual, field: 'year' } }, ordinals, published).map(
        ({ text }) => text,
      );
    const published = [2010, 2012, 2013];
    expect(find([...published, 2014], published)).toEqual([]);
    expect(find([...published, 2016], published)).toEqual([
      '2 missing from 2013 to 2016: 2014, 2015',
    ]);
    expect(find([...published, 2008], published)).toEqual(['1 missing from 2008 to 2010: 2009']);
    expect(find(published, [])).toEqual(['1 missing from 2010 to 2013: 2011']);
  });

  test('are counted, and only the first five named', () => {
    const [from, to] = [monthly.toOrdinal('Jan 2024') ?? 0, monthly.toOrdinal('Jan 2924') ?? 0];
    expect(gaps(monthly, [to, from, from + 2])).toEqual([
      [
        'period-gap',
        'period',
        'Feb 2024',
        '10798 missing from Jan 2024 to Jan 2924: Feb 2024, Apr 2024, May 2024, Jun 2024, Jul 2024, and 10793 more',
      ],
    ]);
  });
});

test('a period is overwritten if three of its figures or all of a few change, and not the newest', async () => {
  const build = (period: string, factor: number, count: number) => ({
    period,
    operators: Array.from({ length: count }, (_, index) => ({
      key: `k${index}`,
      value: factor * (index + 1),
    })),
  });
  const find = async (period: string, count: number, isAddition = true) => {
    const toOrdinal = (label: string) => monthly.toOrdinal(label) ?? 0;
    const row = {
      place: toOrdinal(period),
      old: JSON.stringify(build(period, 1, count)),
      new: JSON.stringify(build(period, 2, count)),
      isReverted: false,
    };
    const series = {
      revision: 2,
      async *neighbours() {},
      async *corrected() {
        yield [row];
      },
      countByPeriod: async () => new Map([[row.place, 1]]),
    };
    const options = { before: toOrdinal('May 2026'), isAddition };
    return (await findPeriodCorrections(mobileMoneyMarketShareValue, series, options)).warnings
      .length;
  };
  expect(await find('Apr 2026', 2)).toBe(0);
  expect(await find('Apr 2026', 2, false)).toBe(1);
  expect(await find('Apr 2026', 3)).toBe(1);
  expect(await find('May 2026', 3)).toBe(0);
});
