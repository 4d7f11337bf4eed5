import { addMonths, parseDay } from '../../calendar.ts';
import { FIRST_QUOTE_DAY, LAST_QUOTE_DAY, toWeekday } from './days.ts';
import type { CouponStructure, Issue } from './issue.ts';
import { formatSymbol } from './symbols.ts';

/** Government bonds and sukuk: each line of the programme is sold again after so many months. */
export function generateGovernmentIssues(): Issue[] {
  return ISSUE_PROGRAMME.flatMap(({ kind, years, first, everyMonths }) => {
    const issues: Issue[] = [];
    for (let place = 0; ; place += 1) {
      const maturity = toWeekday(addMonths(parseDay(first), place * everyMonths + years * 12));
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

/** PIB and PFL are bonds, GIS, FRR and VRR sukuk, which yield less: fewer of them are sold. */
const ISSUE_KINDS = {
  PIB: { coupon: FIXED_COUPON, spread: 0 },
  PFL: { coupon: FLOATING_COUPON, spread: 0.35 },
  GIS: { coupon: 'discount', spread: -0.2 },
  FRR: { coupon: FIXED_COUPON, spread: -0.15 },
  VRR: { coupon: FLOATING_COUPON, spread: 0.1 },
} satisfies Record<string, Pick<Issue, 'coupon' | 'spread'>>;

interface ProgrammeLine {
  readonly kind: keyof typeof ISSUE_KINDS;
  readonly years: number;
  readonly first: string;
  readonly everyMonths: number;
}

const ISSUE_PROGRAMME: readonly ProgrammeLine[] = [
  { kind: 'PIB', years: 3, first: '2020-09-17', everyMonths: 9 },
  { kind: 'PIB', years: 5, first: '2018-10-15', everyMonths: 12 },
  { kind: 'PIB', years: 10, first: '2013-10-21', everyMonths: 36 },
  { kind: 'PIB', years: 15, first: '2013-08-12', everyMonths: 60 },
  { kind: 'PIB', years: 20, first: '2015-01-22', everyMonths: 60 },
  { kind: 'PFL', years: 3, first: '2020-11-05', everyMonths: 12 },
  { kind: 'PFL', years: 5, first: '2019-06-06', everyMonths: 18 },
  { kind: 'GIS', years: 1, first: '2022-07-13', everyMonths: 3 },
  { kind: 'FRR', years: 3, first: '2021-05-24', everyMonths: 18 },
  { kind: 'FRR', years: 5, first: '2018-12-10', everyMonths: 18 },
  { kind: 'VRR', years: 3, first: '2021-02-08', everyMonths: 12 },
  { kind: 'VRR', years: 5, first: '2019-04-28', everyMonths: 24 },
];
