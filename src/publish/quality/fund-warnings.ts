import { monthly } from '../../catalogue/model/period.ts';
import { getLastDayOfMonth, parseDay } from '../../shared/calendar.ts';
import { findCaseVariant } from './case-variants.ts';
import { countDigits } from './period-warnings.ts';
import { FREQUENCIES, WARNING_THRESHOLDS, type Warning } from './warning-rules.ts';

/** The fields of a fund that rules compare. */
export interface FundFigures {
  readonly frequency: string;
  readonly periods: readonly { readonly label: string; readonly date: string }[];
  readonly rows: readonly { readonly label: string; readonly values: readonly number[] }[];
}

/** Warns of the labels of a valid fund, and of figures that repeat; its periods are in any order. */
export function findFundWarnings({ frequency, periods, rows }: FundFigures): Warning[] {
  const warnings: Warning[] = [];
  const variant = findCaseVariant(rows.map(({ label }) => label));
  if (variant) warnings.push({ ...variant, field: 'rows' });
  const spelling = frequency.toLowerCase();
  if (!FREQUENCIES.some((name) => name === spelling)) {
    const text = `frequency ${frequency} is none of ${FREQUENCIES.join(', ')}`;
    warnings.push({ rule: 'unknown-frequency', field: 'frequency', value: frequency, text });
  }
  const text = findOddLabel(periods, HAS_SEVERAL_A_MONTH.has(spelling));
  if (text)
    warnings.push({ rule: 'period-label', field: 'periods', value: text.label, text: text.text });
  const repeated = findRepeatedPeriod(periods, rows);
  return repeated ? [...warnings, repeated] : warnings;
}

const HAS_SEVERAL_A_MONTH: ReadonlySet<string> = new Set(['daily', 'weekly', 'fortnightly']);

function findOddLabel(periods: FundFigures['periods'], hasSeveralAMonth: boolean) {
  const dates = new Map<string, string>();
  for (const { label, date } of periods) {
    const other = dates.get(label);
    if (other !== undefined && !hasSeveralAMonth)
      return { label, text: `${label} is the label of ${date} and of ${other}` };
    dates.set(label, date);
    const month = monthly.toOrdinal(label);
    if (month !== undefined && !isInMonth(date, month))
      return { label, text: `${label} is the label of ${date}, another month` };
  }
  return undefined;
}

/** With some days after the end: a last business day may be reported as the next one. */
function isInMonth(date: string, month: number): boolean {
  const day = parseDay(date);
  return day > getLastDayOfMonth(month - 1) && day <= getLastDayOfMonth(month) + 7;
}

function findRepeatedPeriod(
  periods: FundFigures['periods'],
  rows: FundFigures['rows'],
): Warning | undefined {
  const [newest, previous] = [...periods.keys()].toSorted((a, b) =>
    (periods[a]?.date ?? '') < (periods[b]?.date ?? '') ? 1 : -1,
  );
  if (newest === undefined || previous === undefined) return undefined;
  const figures = rows.map(({ values }) => values[newest] ?? 0);
  const isRepeated = rows.every(({ values }) => values[newest] === values[previous]);
  if (!isRepeated || countDigits(figures) < WARNING_THRESHOLDS.repeatedDigits) return undefined;
  const { label = '' } = periods[newest] ?? {};
  const text = `every figure of ${label} is that of ${periods[previous]?.label}`;
  return { rule: 'figures-repeated', field: 'rows', value: label, text };
}
