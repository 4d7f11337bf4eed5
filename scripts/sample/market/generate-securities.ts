import {
  computeDuration,
  computePrice,
  computeYield,
  type Frequency,
  getCouponSchedule,
  isinCheckDigit,
} from '../../../src/bonds/index.ts';
import type { Quote } from '../../../src/catalogue/datasets/quotes.ts';
import { addMonths, formatDay, isWeekend, parseDay } from '../../../src/shared/calendar.ts';
import { hashText } from '../random.ts';
import { roundTo } from '../rounding.ts';
import { FIRST_QUOTE_DAY, LAST_QUOTE_DAY, type YieldCurve } from './yield-curve.ts';

export interface SampleSecurity extends Issue {
  readonly isin: string;
  /** The coupon rate on a settlement day, in percent; 0 without coupons. */
  readonly couponRate: (settlement: number) => number;
}

/** Every security of the sample, including matured ones. */
export function generateSecurities(curve: YieldCurve): SampleSecurity[] {
  const issues = [...generateBills(), ...generateGovernmentBonds(), ...generateCorporateBonds()];
  return issues.map((issue) => ({
    ...issue,
    isin: generateIsin(issue.symbol),
    couponRate: createCouponRate(issue, curve),
  }));
}

// ISO 3166 reserves ZZ for private use, so no agency will ever assign these numbers.
function generateIsin(symbol: string): string {
  const body = `ZZ${String(hashText(symbol) % 1e9).padStart(9, '0')}`;
  return `${body}${isinCheckDigit(body)}`;
}

function createCouponRate(issue: Issue, curve: YieldCurve): SampleSecurity['couponRate'] {
  const { coupon, issued, maturity, spread } = issue;
  if (coupon === 'discount') return () => 0;
  if (coupon.rate === 'fixed') {
    const rate = roundTo(curve(issued, (maturity - issued) / 365) + spread, 2);
    return () => rate;
  }
  return (settlement) => {
    const { previous } = getCouponSchedule({ maturity, frequency: coupon.frequency }, settlement);
    return roundTo(curve(Math.max(previous, issued), 1 / coupon.frequency) + spread, 2);
  };
}

/** Prices a security for settlement on a day before its maturity; yields are in percent. */
export function createPricer({ coupon, maturity, couponRate }: SampleSecurity, settlement: number) {
  const security =
    coupon === 'discount'
      ? { maturity }
      : // A floating rate is priced as if it stayed at its current value.
        { maturity, frequency: coupon.frequency, couponRate: couponRate(settlement) };
  const settled = { security, settlement };
  return {
    priceAt: (yieldPercent: number) => roundTo(computePrice(settled, yieldPercent), 4),
    /** The three consistent figures of a trade at a quoted price. */
    tradeAt: (lastPrice: number) => {
      const ytm = computeYield(settled, lastPrice);
      return {
        lastPrice,
        ytm: roundTo(ytm, 6),
        duration: roundTo(computeDuration(settled, ytm), 6),
      };
    },
  };
}

/** The terms of a security at issue. Days are day numbers and fall on weekdays. */
interface Issue {
  readonly symbol: string;
  readonly type: Quote['type'];
  readonly issued: number;
  readonly maturity: number;
  /** Yield above the curve, in percent. */
  readonly spread: number;
  readonly coupon: CouponStructure;
}

/** No coupons, or a rate that is set once, or at the start of every coupon period. */
type CouponStructure =
  | 'discount'
  | { readonly rate: 'fixed' | 'floating'; readonly frequency: Frequency };

/** The day itself, or the Monday after a weekend. */
export function toWeekday(day: number): number {
  let weekday = day;
  while (isWeekend(weekday)) weekday += 1;
  return weekday;
}

/** Treasury bills of 3, 6 and 12 months, sold every second Thursday. */
function generateBills(): Issue[] {
  return BILL_TENORS.flatMap(([months, days]) => {
    const issues: Issue[] = [];
    for (let issued = FIRST_AUCTION; issued <= LAST_QUOTE_DAY; issued += 14) {
      const maturity = issued + days;
      if (maturity <= FIRST_QUOTE_DAY) continue;
      const symbol = formatSymbol('ZZ', months, 'TB', maturity);
      issues.push({ symbol, type: 'tbill', issued, maturity, spread: 0, coupon: 'discount' });
    }
    return issues;
  });
}

/** A Thursday one year before the first quotes, so that these include every tenor. */
const FIRST_AUCTION = parseDay('2022-06-23');
// In whole weeks, so bills mature on Thursdays too.
const BILL_TENORS = [
  [3, 91],
  [6, 182],
  [12, 364],
] as const;

/** Government bonds and sukuk; each line of the programme is issued at a fixed interval. */
function generateGovernmentBonds(): Issue[] {
  return ISSUE_PROGRAMME.flatMap(([kind, years, first, intervalMonths]) => {
    const issues: Issue[] = [];
    for (let index = 0; ; index += 1) {
      const maturity = toWeekday(addMonths(parseDay(first), index * intervalMonths + years * 12));
      const issued = toWeekday(addMonths(maturity, -12 * years));
      if (issued > LAST_QUOTE_DAY) return issues;
      if (maturity <= FIRST_QUOTE_DAY) continue;
      const symbol = formatSymbol('Z', years, kind, maturity);
      issues.push({ symbol, type: 'bond', issued, maturity, ...ISSUE_KINDS[kind] });
    }
  });
}

const FIXED_COUPON: CouponStructure = { rate: 'fixed', frequency: 2 };
const FLOATING_COUPON: CouponStructure = { rate: 'floating', frequency: 2 };

/** PIB and PFL are bonds; GIS, FRR and VRR are sukuk, which are rarer and yield less. */
const ISSUE_KINDS = {
  PIB: { coupon: FIXED_COUPON, spread: 0 },
  PFL: { coupon: FLOATING_COUPON, spread: 0.35 },
  GIS: { coupon: 'discount', spread: -0.2 },
  FRR: { coupon: FIXED_COUPON, spread: -0.15 },
  VRR: { coupon: FLOATING_COUPON, spread: 0.1 },
} satisfies Record<string, Pick<Issue, 'coupon' | 'spread'>>;

/** By line of the programme: kind, years, first day of issue, and months from issue to issue. */
const ISSUE_PROGRAMME = [
  ['PIB', 3, '2020-09-17', 9],
  ['PIB', 5, '2018-10-15', 12],
  ['PIB', 10, '2013-10-21', 36],
  ['PIB', 15, '2013-08-12', 60],
  ['PIB', 20, '2015-01-22', 60],
  ['PFL', 3, '2020-11-05', 12],
  ['PFL', 5, '2019-06-06', 18],
  ['GIS', 1, '2022-07-13', 3],
  ['FRR', 3, '2021-05-24', 18],
  ['FRR', 5, '2018-12-10', 18],
  ['VRR', 3, '2021-02-08', 12],
  ['VRR', 5, '2019-04-28', 24],
] as const;

/** A symbol such as `Z05PIB150930`: issuer, tenor, kind, and maturity as ddmmyy. */
function formatSymbol(issuer: string, tenor: number, kind: string, maturity: number): string {
  const [year, month, day] = formatDay(maturity).split('-');
  return `${issuer}${String(tenor).padStart(2, '0')}${kind}${day}${month}${year?.slice(2)}`;
}

/** Bonds of fictitious companies: `TFC` are term finance certificates, `SC` sukuk. */
function generateCorporateBonds(): Issue[] {
  return CORPORATE_BONDS.map(([symbol, issueDate, years, rate, frequency, spread]) => ({
    symbol,
    type: 'corporate',
    issued: toWeekday(parseDay(issueDate)),
    maturity: toWeekday(addMonths(parseDay(issueDate), years * 12)),
    spread,
    coupon: { rate, frequency },
  }));
}

/** Symbol, day of issue, years, coupon rate, coupons a year, and yield above the curve in percent. */
const CORPORATE_BONDS = [
  ['BRKLEASC1', '2022-01-31', 3, 'floating', 2, 2.1],
  ['BRKLEATFC2', '2021-11-08', 6, 'fixed', 2, 1.85],
  ['CEDARTFC1', '2019-03-18', 5, 'floating', 2, 1.1],
  ['CEDARTFC2', '2022-11-14', 5, 'floating', 2, 1.25],
  ['CEDARTFC3', '2025-02-20', 7, 'fixed', 2, 1.6],
  ['DUNEPWRSC1', '2020-08-26', 5, 'floating', 4, 1.7],
  ['DUNEPWRSC2', '2025-09-11', 5, 'floating', 4, 1.45],
  ['DUNEPWRTFC3', '2020-05-18', 10, 'fixed', 2, 1.5],
  ['HARBORSC1', '2020-12-07', 3, 'floating', 4, 1.4],
  ['HARBORSC2', '2023-12-11', 5, 'floating', 4, 1.3],
  ['HARBORTFC3', '2023-01-23', 4, 'fixed', 2, 1.55],
  ['LARKMRTFC1', '2021-10-19', 4, 'fixed', 2, 1.9],
  ['LARKMRTFC2', '2024-06-24', 4, 'floating', 2, 1.55],
  ['LARKMRTFC3', '2023-04-10', 8, 'fixed', 2, 1.65],
  ['OXMERETFC1', '2021-06-02', 6, 'floating', 2, 1.2],
  ['OXMERETFC2', '2024-11-04', 5, 'fixed', 4, 1.75],
  ['SALTPNSC1', '2023-03-27', 4, 'floating', 4, 1.85],
  ['SALTPNTFC2', '2022-09-05', 7, 'fixed', 2, 1.8],
  ['TAMRDGSC1', '2018-04-16', 10, 'floating', 2, 1.5],
  ['TAMRDGTFC2', '2026-03-09', 3, 'fixed', 2, 2],
] as const;
