import { addMonths, dayNumber, dayText } from '../../calendar.ts';
import type { RecordIn } from '../../catalogue/dataset.ts';
import type { fundAllocation } from '../../catalogue/fund-allocation.ts';
import { monthly, quarterly } from '../../catalogue/period.ts';
import { drift } from '../drift.ts';
import { randomFrom } from '../random.ts';
import { type Mandate, mandates } from './mandates.ts';

export type Allocation = RecordIn<typeof fundAllocation>;

/** Every fund with the periods that ended by a day, newest first; each period adds up to 100.0. */
export function sampleFunds(lastDay: string): Allocation[] {
  return FUNDS.map((fund, place) => upTo(lastDay, allocationOf(fund, place + 1)));
}

type Frequency = 'monthly' | 'quarterly';

const FUNDS: readonly [keyof typeof mandates, Frequency, periods: number][] = [
  ['moneyMarket', 'monthly', 36],
  ['moneyMarket', 'monthly', 36],
  ['moneyMarket', 'monthly', 18],
  ['income', 'monthly', 36],
  ['income', 'monthly', 30],
  ['government', 'monthly', 36],
  ['islamicIncome', 'monthly', 36],
  ['islamicIncome', 'monthly', 24],
  ['equity', 'monthly', 36],
  ['balanced', 'monthly', 36],
  ['balanced', 'quarterly', 12],
  ['pensionDebt', 'quarterly', 12],
];

const LAST_MONTH_END = dayNumber('2026-06-30');

function allocationOf([mandate, frequency, count]: (typeof FUNDS)[number], number: number) {
  const fund_id = `5a3b0f1e-0000-4000-8000-${String(number).padStart(12, '0')}`;
  const classes = Object.entries<Mandate[string]>(mandates[mandate]);
  const random = randomFrom(`fund ${number}`);
  // Two funds of one kind differ in what they lean to.
  const leaning = classes.map(([, { from, to, unrest }]) => {
    const lean = 0.75 + 0.5 * random.uniform();
    return { from: from * lean, to: to * lean, unrest };
  });
  const wholes = new Array<number>(count).fill(1000);
  const tenths = drift(leaning, wholes, random).reverse();
  return {
    fund_id,
    frequency,
    periods: tenths.map((_, age) => periodBack(frequency, age)),
    rows: classes.map(([label], place) => ({
      label,
      values: tenths.map((period) => (period[place] ?? 0) / 10),
    })),
  };
}

/** The period that ended so many periods before the last one. */
function periodBack(frequency: Frequency, age: number): Allocation['periods'][number] {
  const months = frequency === 'monthly' ? 1 : 3;
  // From the first of the next month, since month ends differ in length.
  const end = addMonths(LAST_MONTH_END + 1, -age * months) - 1;
  const date = dayText(end);
  const month = Number(date.slice(0, 4)) * 12 + Number(date.slice(5, 7)) - 1;
  const kind = frequency === 'monthly' ? monthly : quarterly;
  return { label: kind.label(Math.floor(month / months)), date };
}

function upTo(lastDay: string, fund: Omit<Allocation, 'created' | 'modified'>): Allocation {
  const later = fund.periods.filter(({ date }) => date > lastDay).length;
  const periods = fund.periods.slice(later);
  const rows = fund.rows.map(({ label, values }) => ({ label, values: values.slice(later) }));
  const created = reportedAfter(periods.at(-1));
  const modified = reportedAfter(periods[0]);
  return { fund_id: fund.fund_id, created, modified, frequency: fund.frequency, periods, rows };
}

/** Funds report on the eighth day after a period. */
function reportedAfter(period: Allocation['periods'][number] | undefined): string {
  if (!period) throw new RangeError('a fund without a period');
  return `${dayText(dayNumber(period.date) + 8)}T09:00:00Z`;
}
