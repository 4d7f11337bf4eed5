import { dayNumber } from '../../calendar.ts';
import { FIRST_DAY, LAST_DAY } from './days.ts';
import type { Issue } from './issue.ts';
import { symbolOf } from './symbols.ts';

/** Treasury bills of 3, 6 and 12 months, sold every second Thursday. */
export function billIssues(): Issue[] {
  return TENORS.flatMap(({ months, days }) => {
    const issues: Issue[] = [];
    for (let issued = FIRST_AUCTION; issued <= LAST_DAY; issued += 14) {
      const maturity = issued + days;
      if (maturity <= FIRST_DAY) continue;
      const symbol = symbolOf('ZZ', months, 'TB', maturity);
      issues.push({ symbol, type: 'tbill', issued, maturity, margin: 0, pays: 'discount' });
    }
    return issues;
  });
}

/** A Thursday a year before the first quotes, so that those find every tenor on sale. */
const FIRST_AUCTION = dayNumber('2022-06-23');

// Whole weeks, so that what is sold on a Thursday matures on one.
const TENORS = [
  { months: 3, days: 91 },
  { months: 6, days: 182 },
  { months: 12, days: 364 },
];
