import type { fundAllocation } from '../catalogue/datasets/fund-allocation.ts';
import type { FundRecord } from '../catalogue/datasets/funds.ts';
import type { DatasetRecord } from '../catalogue/model/dataset.ts';
import { monthly, quarterly } from '../catalogue/model/period.ts';
import { addMonths, formatDay, parseDay } from '../shared/calendar.ts';
import { type DriftingShare, generateDriftingShares } from './drifting-shares.ts';
import { createRandom } from './random.ts';

export type FundAllocationRecord = DatasetRecord<typeof fundAllocation>;

/** Every fund with the periods that ended by a day, newest first; each adds up to 100.0. */
export function generateFunds(lastDay: string): FundAllocationRecord[] {
  return FUND_SPECS.map((fund, index) =>
    truncateAfter(lastDay, generateAllocation(fund, index + 1)),
  );
}

/** Every fund with its name, category and manager. */
export function generateFundNames(): FundRecord[] {
  return FUND_SPECS.map(([mandate, , , manager, product], index) => ({
    fund_id: formatFundId(index + 1),
    name: `${manager} ${product}`,
    category: CATEGORIES[mandate],
    manager: `${manager} Investments`,
  }));
}

type ReportingFrequency = 'monthly' | 'quarterly';

const FUND_SPECS: readonly [
  mandate: keyof typeof MANDATES,
  frequency: ReportingFrequency,
  periods: number,
  manager: string,
  product: string,
][] = [
  ['moneyMarket', 'monthly', 36, 'Amberfield', 'Cash Fund'],
  ['moneyMarket', 'monthly', 36, 'Kestrel', 'Liquidity Fund'],
  ['moneyMarket', 'monthly', 18, 'Northgate', 'Daily Cash Fund'],
  ['income', 'monthly', 36, 'Amberfield', 'Income Fund'],
  ['income', 'monthly', 30, 'Kestrel', 'Income Opportunities Fund'],
  ['government', 'monthly', 36, 'Northgate', 'Government Securities Fund'],
  ['islamicIncome', 'monthly', 36, 'Noorfield', 'Islamic Income Fund'],
  ['islamicIncome', 'monthly', 24, 'Kestrel', 'Sukuk Fund'],
  ['equity', 'monthly', 36, 'Amberfield', 'Equity Fund'],
  ['balanced', 'monthly', 36, 'Northgate', 'Balanced Fund'],
  ['balanced', 'quarterly', 12, 'Noorfield', 'Multi-Asset Fund'],
  ['pensionDebt', 'quarterly', 12, 'Amberfield', 'Pension Fund, Debt'],
];

const LAST_MONTH_END = parseDay('2026-06-30');

function generateAllocation(
  [mandate, frequency, count]: (typeof FUND_SPECS)[number],
  number: number,
) {
  const fund_id = formatFundId(number);
  const classes = Object.entries<Mandate[string]>(MANDATES[mandate]);
  const random = createRandom(`fund ${number}`);
  // Funds with the same mandate differ in their weights.
  const shares = classes.map(([, { from, to, volatility }]) => {
    const tilt = 0.75 + 0.5 * random.uniform();
    return { from: from * tilt, to: to * tilt, volatility };
  });
  const totals = new Array<number>(count).fill(1000);
  const tenths = generateDriftingShares(shares, totals, random).reverse();
  return {
    fund_id,
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
  frequency: ReportingFrequency,
  age: number,
): FundAllocationRecord['periods'][number] {
  const months = frequency === 'monthly' ? 1 : 3;
  // Counted from the first of the next month, since months differ in length.
  const end = addMonths(LAST_MONTH_END + 1, -age * months) - 1;
  const date = formatDay(end);
  const month = Number(date.slice(0, 4)) * 12 + Number(date.slice(5, 7)) - 1;
  const kind = frequency === 'monthly' ? monthly : quarterly;
  return { label: kind.formatLabel(Math.floor(month / months)), date };
}

function truncateAfter(
  lastDay: string,
  fund: Omit<FundAllocationRecord, 'created' | 'modified'>,
): FundAllocationRecord {
  const later = fund.periods.filter(({ date }) => date > lastDay).length;
  const periods = fund.periods.slice(later);
  const rows = fund.rows.map(({ label, values }) => ({ label, values: values.slice(later) }));
  const created = getReportInstant(periods.at(-1));
  const modified = getReportInstant(periods[0]);
  return { fund_id: fund.fund_id, created, modified, frequency: fund.frequency, periods, rows };
}

/** Funds report on the eighth day after a period. */
function getReportInstant(period: FundAllocationRecord['periods'][number] | undefined): string {
  if (!period) throw new RangeError('a fund without a period');
  return `${formatDay(parseDay(period.date) + 8)}T09:00:00Z`;
}

/** The asset classes of a fund, by the labels of its rows. */
type Mandate = Readonly<Record<string, DriftingShare>>;

const OTHERS_LABEL = 'Others including receivables';

/** The kinds of funds. Rates fall over the sample's years, so money leaves the banks. */
const MANDATES = {
  moneyMarket: {
    Cash: defineShare(34, 16, 0.3),
    'Treasury Bills': defineShare(58, 72, 0.12),
    'Placements with Banks': defineShare(6, 9, 0.4),
    [OTHERS_LABEL]: defineShare(2, 3, 0.35),
  },
  income: {
    Cash: defineShare(38, 21, 0.25),
    'Treasury Bills': defineShare(24, 17, 0.35),
    'Government Bonds': defineShare(14, 38, 0.2),
    'Corporate Bonds': defineShare(16, 19, 0.08),
    'Margin Trading': defineShare(5, 2, 0.4),
    [OTHERS_LABEL]: defineShare(3, 3, 0.35),
  },
  government: {
    Cash: defineShare(12, 7, 0.35),
    'Treasury Bills': defineShare(66, 31, 0.2),
    'Government Bonds': defineShare(20, 60, 0.15),
    [OTHERS_LABEL]: defineShare(2, 2, 0.4),
  },
  // Bills pay interest: Islamic funds hold sukuk instead.
  islamicIncome: {
    Cash: defineShare(46, 27, 0.2),
    'Government Sukuk': defineShare(27, 48, 0.15),
    'Corporate Sukuk': defineShare(17, 15, 0.08),
    'Placements with Islamic Banks': defineShare(7, 7, 0.45),
    [OTHERS_LABEL]: defineShare(3, 3, 0.35),
  },
  equity: {
    Equities: defineShare(91, 96, 0.03),
    Cash: defineShare(5.5, 2.5, 0.4),
    'Treasury Bills': defineShare(2, 0.3, 0.5),
    [OTHERS_LABEL]: defineShare(1.5, 1.2, 0.4),
  },
  balanced: {
    Equities: defineShare(43, 58, 0.1),
    'Government Bonds': defineShare(9, 16, 0.2),
    'Treasury Bills': defineShare(22, 8, 0.3),
    'Corporate Bonds': defineShare(8, 7, 0.1),
    Cash: defineShare(16, 9, 0.3),
    [OTHERS_LABEL]: defineShare(2, 2, 0.35),
  },
  pensionDebt: {
    Cash: defineShare(14, 6, 0.35),
    'Treasury Bills': defineShare(52, 28, 0.2),
    'Government Bonds': defineShare(24, 54, 0.15),
    'Government Sukuk': defineShare(2, 6, 0.25),
    'Corporate Bonds': defineShare(4, 3, 0.12),
    'Commercial Paper': defineShare(2, 1, 0.5),
    [OTHERS_LABEL]: defineShare(2, 2, 0.35),
  },
} satisfies Record<string, Mandate>;

const CATEGORIES: Readonly<Record<keyof typeof MANDATES, string>> = {
  moneyMarket: 'Money market',
  income: 'Income',
  government: 'Government securities',
  islamicIncome: 'Islamic income',
  equity: 'Equity',
  balanced: 'Balanced',
  pensionDebt: 'Pension, debt',
};

function defineShare(from: number, to: number, volatility: number): DriftingShare {
  return { from, to, volatility };
}
