import { createRandom, createRandomWalk } from '../../../scripts/sample/random.ts';
import { createDeclaredDataset } from '../../../src/catalogue/model/create-dataset.ts';
import type { AnyRecord, Dataset } from '../../../src/catalogue/model/dataset.ts';
import type { Declaration } from '../../../src/catalogue/model/declaration.ts';
import { formatDay, parseDay } from '../../../src/shared/calendar.ts';

/** Made-up datasets as publishers declare them, and their honest records, oldest period first. */
const declare = (declaration: Omit<Declaration, 'title'>): Dataset =>
  createDeclaredDataset({ title: declaration.name, ...declaration });

const measure = (field: string, unit: string, kind: 'flow' | 'stock' | 'rate' | 'index') =>
  ({ field, title: field, unit, kind }) as const;

const BANKS = ['ABL', 'HBL', 'JSB', 'MCB', 'NBP', 'UBL'];
const dimension = (field: string, codes?: readonly string[]) => ({
  field,
  title: field,
  ...(codes && { codes: Object.fromEntries(codes.map((code) => [code, `${code} Ltd`])) }),
});

export const deposits = declare({
  name: 'deposits',
  period: { kind: 'month', field: 'month' },
  dimensions: [dimension('bank', BANKS), dimension('sector', ['private', 'public'])],
  measures: [
    { ...measure('retail', 'PKR million', 'stock'), decimals: 1, required: true },
    { ...measure('other', 'PKR million', 'stock'), decimals: 1 },
    { ...measure('total', 'PKR million', 'stock'), decimals: 1, required: true },
  ],
  checks: [{ sum: ['retail', 'other'], equals: 'total', tolerance: 0.2 }],
});

export const rates = declare({
  name: 'rates',
  period: { kind: 'day', field: 'date' },
  dimensions: [{ ...dimension('tenor', ['1W', '1M', '3M', '6M', '1Y']), codesStrict: true }],
  measures: ['bid', 'offer'].map((field) => ({
    ...measure(field, 'percent', 'rate'),
    decimals: 2,
    required: true,
  })),
  checks: [
    { field: 'bid', atMost: 'offer' },
    { field: 'bid', min: 0, max: 40 },
    { field: 'offer', min: 0, max: 40 },
  ],
});

export const navs = declare({
  name: 'navs',
  period: { kind: 'day', field: 'date' },
  dimensions: [dimension('fund')],
  measures: [{ ...measure('nav', 'PKR', 'index'), decimals: 4, required: true }],
  checks: [{ field: 'nav', maxChange: 20, maxUnchanged: 5 }],
});

export const trade = declare({
  name: 'trade',
  period: { kind: 'quarter', field: 'quarter' },
  dimensions: [dimension('country')],
  measures: [measure('exports', 'USD million', 'flow'), measure('imports', 'USD million', 'flow')],
  coverage: 'open',
});

export const budget = declare({
  name: 'budget',
  period: { kind: 'year', field: 'year', yearStart: 7 },
  measures: [
    measure('revenue', 'PKR billion', 'flow'),
    measure('spending', 'PKR billion', 'flow'),
    { ...measure('employees', 'people', 'stock'), decimals: 0 },
  ],
  status: true,
});

export const payments = declare({
  name: 'payments',
  period: { kind: 'month', field: 'month' },
  dimensions: [dimension('bank')],
  measures: [measure('transactions', 'transactions', 'flow'), measure('value', 'PKR', 'flow')],
  coverage: 'open',
});

export const DECLARED = [deposits, rates, navs, trade, budget, payments];

export const COUNTRIES = [
  ...["Côte d'Ivoire", 'China', 'Germany', 'India', 'Korea, Rep.', 'São Tomé', 'Turkey'],
  'United States',
];

/** Values around one, by what they are of: each has a walk of its own. */
function createWalks(step: number) {
  const walks = new Map<string, () => number>();
  return (name: string) => {
    const walk = walks.getOrInsertComputed(name, () =>
      createRandomWalk(createRandom(name), step, 0.05),
    );
    return 1 + walk();
  };
}

const round = (value: number, decimals: number) => Number(value.toFixed(decimals));
const labels = (dataset: Dataset, last: string, count: number): string[] => {
  const { kind } = dataset.period ?? {};
  const end = kind?.toOrdinal(last) ?? 0;
  return Array.from(
    { length: count },
    (_, index) => kind?.formatLabel(end - count + 1 + index) ?? '',
  );
};

/** Weekdays up to the last of June 2026. */
const DAYS = Array.from({ length: 60 }, (_, index) => parseDay('2026-06-30') - 59 + index)
  .map(formatDay)
  .filter((day) => ![0, 6].includes(new Date(day).getUTCDay()));

/** All records of a declared dataset, oldest period first. */
export function generateDeclared(dataset: Dataset): AnyRecord[] {
  const walk = createWalks(dataset === rates || dataset === navs ? 0.004 : 0.02);
  switch (dataset) {
    case deposits:
      return labels(deposits, 'Jun 2026', 24).flatMap((month) =>
        BANKS.flatMap((bank, index) =>
          ['private', 'public'].map((sector) => {
            const size = 900 * (index + 1) * (sector === 'private' ? 3 : 1);
            const retail = round(size * walk(`${bank} ${sector} retail`), 1);
            const other = round(size * 0.3 * walk(`${bank} ${sector} other`), 1);
            return { month, bank, sector, retail, other, total: round(retail + other, 1) };
          }),
        ),
      );
    case rates:
      return DAYS.flatMap((date) =>
        ['1W', '1M', '3M', '6M', '1Y'].map((tenor, index) => {
          const bid = round((11 + index / 4) * walk(tenor), 2);
          return { date, tenor, bid, offer: round(bid + 0.25, 2) };
        }),
      );
    case navs:
      return DAYS.flatMap((date) =>
        Array.from({ length: 12 }, (_, index) => {
          const fund = `00${411 + 7 * index}`;
          return { date, fund, nav: round((10 + 3 * index) * walk(fund), 4) };
        }),
      );
    case trade:
      return labels(trade, 'Q2 2026', 16).flatMap((quarter) =>
        COUNTRIES.map((country, index) => ({
          quarter,
          country,
          exports: round(140 * (index + 1) * walk(`${country} exports`), 1),
          imports: round(230 * (index + 1) * walk(`${country} imports`), 1),
        })),
      );
    case payments: {
      // Banks that have just begun may grow tenfold within a month, and fall again.
      const { uniform } = createRandom('payments');
      return labels(payments, 'Jun 2026', 24).flatMap((month) =>
        Array.from({ length: 24 }, (_, index) => {
          const isSmall = index >= 4;
          const step = isSmall ? 10 ** (2 * uniform() - 1) : 0.9 + 0.2 * uniform();
          const transactions = Math.round((isSmall ? 40 : 90_000 * (index + 1)) * step) + 1;
          const value = round(transactions * (3 + uniform()), 2);
          return { month, bank: `Bank ${index}`, transactions, value };
        }),
      );
    }
    default:
      return labels(budget, 'FY2026', 14).map((year) => ({
        year,
        revenue: round(9800 * walk('revenue'), 1),
        spending: round(14200 * walk('spending'), 1),
        employees: Math.round(612_000 * walk('employees')),
        status: 'A',
      }));
  }
}
