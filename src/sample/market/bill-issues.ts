import { parseDay } from '../../calendar.ts';
import { FIRST_QUOTE_DAY, LAST_QUOTE_DAY } from './days.ts';
import type { Issue } from './issue.ts';
import { formatSymbol } from './symbols.ts';

/** Treasury bills of 3, 6 and 12 months, sold every second Thursday. */
export function generateBillIssues(): Issue[] {
  return BILL_TENORS.flatMap(({ months, days }) => {
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

/** A Thursday a year before the first quotes, so that those find every tenor on sale. */
const FIRST_AUCTION = parseDay('2022-06-23');

// Whole weeks, so that what is sold on a Thursday matures on one.
const BILL_TENORS = [
  { months: 3, days: 91 },
  { months: 6, days: 182 },
  { months: 12, days: 364 },
];
