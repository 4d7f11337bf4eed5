import type { fundAllocation } from '../../src/catalogue/datasets/fund-allocation.ts';
import type { FundRecord } from '../../src/catalogue/datasets/funds.ts';
import type { DatasetRecord } from '../../src/catalogue/model/dataset.ts';
import { monthly, quarterly } from '../../src/catalogue/model/period.ts';
import { formatDay, parseDay } from '../../src/shared/calendar.ts';
import { type DriftingShare, generateDriftingShares } from './drifting-shares.ts';
import { createRandom } from './random.ts';

export type SampleFund = DatasetRecord<typeof fundAllocation>;

/** Every fund with the periods that ended by a day, newest first; the shares of each period sum to 100.0. */
export function generateFunds(lastDay: string): SampleFund[] {
  return FUND_SPECS.map((fund, index) =>
    truncateAfter(lastDay, generateAllocation(fund, index + 1)),
  );
}

/** Every fund with its name, category and manager. */
export function generateFundNames(): FundRecord[] {
  return FUND_SPECS.map(([category, , , manager, product], index) => ({
    fund_id: formatFundId(index + 1),
    name: `${manager} ${product}`,
    category,
    manager: `${manager} Investments`,
  }));
}

/** The category, reporting frequency, number of periods, manager and product of each fund. */
const FUND_SPECS = [
  ['Money market', 'monthly', 36, 'Amberfield', 'Cash Fund'],
  ['Money market', 'monthly', 36, 'Kestrel', 'Liquidity Fund'],
  ['Money market', 'monthly', 18, 'Northgate', 'Daily Cash Fund'],
  ['Income', 'monthly', 36, 'Amberfield', 'Income Fund'],
  ['Income', 'monthly', 30, 'Kestrel', 'Income Opportunities Fund'],
  ['Government securities', 'monthly', 36, 'Northgate', 'Government Securities Fund'],
  ['Islamic income', 'monthly', 36, 'Noorfield', 'Islamic Income Fund'],
  ['Islamic income', 'monthly', 24, 'Kestrel', 'Sukuk Fund'],
  ['Equity', 'monthly', 36, 'Amberfield', 'Equity Fund'],
  ['Balanced', 'monthly', 36, 'Northgate', 'Balanced Fund'],
  ['Balanced', 'quarterly', 12, 'Noorfield', 'Multi-Asset Fund'],
  ['Pension, debt', 'quarterly', 12, 'Amberfield', 'Pension Fund, Debt'],
] as const;

/** June 2026, counted from year 0. */
const LAST_MONTH = 2026 * 12 + 5;

function generateAllocation(
  [category, frequency, count]: (typeof FUND_SPECS)[number],
  number: number,
) {
  const classes = Object.entries<Mandate[string]>(MANDATES[category]);
  const random = createRandom(`fund ${number}`);
  const shares = classes.map(([, [from, to, volatility]]): DriftingShare => {
    const tilt = 0.75 + 0.5 * random.uniform();
    return [from * tilt, to * tilt, volatility];
  });
  const totals = new Array<number>(count).fill(1000);
  const tenths = generateDriftingShares(shares, totals, random).reverse();
  return {
    fund_id: formatFundId(number),
    frequency,
    periods: tenths.map((_, age) => getPeriodByAge(frequency, age)),
    rows: classes.map(([label], index) => ({
      label,
      values: tenths.map((period) => (period[index] ?? 0) / 10),
    })),
  };
}

function formatFundId(number: number): string {
  return `5a3b0f1e-0000-4000-8000-${String(number).padStart(12, '0')}`;
}

/** The period that ended a number of periods before the last one. */
function getPeriodByAge(
  frequency: 'monthly' | 'quarterly',
  age: number,
): SampleFund['periods'][number] {
  const kind = frequency === 'monthly' ? monthly : quarterly;
  const label = kind.formatLabel(Math.floor((LAST_MONTH * kind.periodsPerYear) / 12) - age);
  return { label, date: formatDay(kind.findLastDay(label) ?? Number.NaN) };
}

function truncateAfter(
  lastDay: string,
  fund: Omit<SampleFund, 'created' | 'modified'>,
): SampleFund {
  const later = fund.periods.filter(({ date }) => date > lastDay).length;
  const periods = fund.periods.slice(later);
  const rows = fund.rows.map(({ label, values }) => ({ label, values: values.slice(later) }));
  const created = getReportInstant(periods.at(-1));
  const modified = getReportInstant(periods[0]);
  return { fund_id: fund.fund_id, created, modified, frequency: fund.frequency, periods, rows };
}

/** Funds report on the eighth day after the end of a period. */
function getReportInstant(period: SampleFund['periods'][number] | undefined): string {
  if (!period) throw new RangeError('a fund without a period');
  return `${formatDay(parseDay(period.date) + 8)}T09:00:00Z`;
}

/** The asset classes of a fund, by the labels of its rows. */
type Mandate = Readonly<Record<string, DriftingShare>>;

const OTHERS_LABEL = 'Others including receivables';

/** The holdings of funds by category. Rates fall over the sample's years, so money leaves the banks. */
const MANDATES = {
  'Money market': {
    Cash: [34, 16, 0.3],
    'Treasury Bills': [58, 72, 0.12],
    'Placements with Banks': [6, 9, 0.4],
    [OTHERS_LABEL]: [2, 3, 0.35],
  },
  Income: {
    Cash: [38, 21, 0.25],
    'Treasury Bills': [24, 17, 0.35],
    'Government Bonds': [14, 38, 0.2],
    'Corporate Bonds': [16, 19, 0.08],
    'Margin Trading': [5, 2, 0.4],
    [OTHERS_LABEL]: [3, 3, 0.35],
  },
  'Government securities': {
    Cash: [12, 7, 0.35],
    'Treasury Bills': [66, 31, 0.2],
    'Government Bonds': [20, 60, 0.15],
    [OTHERS_LABEL]: [2, 2, 0.4],
  },
  // Bills pay interest, so Islamic funds hold sukuk instead.
  'Islamic income': {
    Cash: [46, 27, 0.2],
    'Government Sukuk': [27, 48, 0.15],
    'Corporate Sukuk': [17, 15, 0.08],
    'Placements with Islamic Banks': [7, 7, 0.45],
    [OTHERS_LABEL]: [3, 3, 0.35],
  },
  Equity: {
    Equities: [91, 96, 0.03],
    Cash: [5.5, 2.5, 0.4],
    'Treasury Bills': [2, 0.3, 0.5],
    [OTHERS_LABEL]: [1.5, 1.2, 0.4],
  },
  Balanced: {
    Equities: [43, 58, 0.1],
    'Government Bonds': [9, 16, 0.2],
    'Treasury Bills': [22, 8, 0.3],
    'Corporate Bonds': [8, 7, 0.1],
    Cash: [16, 9, 0.3],
    [OTHERS_LABEL]: [2, 2, 0.35],
  },
  'Pension, debt': {
    Cash: [14, 6, 0.35],
    'Treasury Bills': [52, 28, 0.2],
    'Government Bonds': [24, 54, 0.15],
    'Government Sukuk': [2, 6, 0.25],
    'Corporate Bonds': [4, 3, 0.12],
    'Commercial Paper': [2, 1, 0.5],
    [OTHERS_LABEL]: [2, 2, 0.35],
  },
} satisfies Record<string, Mandate>;
