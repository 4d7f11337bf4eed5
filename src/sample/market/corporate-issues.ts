import type { Frequency } from '../../bonds/index.ts';
import { addMonths, parseDay } from '../../calendar.ts';
import { toWeekday } from './days.ts';
import type { Issue } from './issue.ts';

/** Papers of companies that do not exist; `TFC` are term finance certificates, `SC` sukuk. */
export function generateCorporateIssues(): Issue[] {
  return CORPORATE_ISSUE_SPECS.map(([symbol, issue, years, rate, frequency, spread]) => {
    const maturity = toWeekday(addMonths(parseDay(issue), years * 12));
    const issued = toWeekday(parseDay(issue));
    return { symbol, type: 'corporate', issued, maturity, spread, coupon: { rate, frequency } };
  });
}

type CorporateIssueSpec = readonly [
  symbol: string,
  issued: string,
  years: number,
  rate: 'fixed' | 'floating',
  frequency: Frequency,
  spread: number,
];

const CORPORATE_ISSUE_SPECS: readonly CorporateIssueSpec[] = [
  ['BRKLEASC1', '2022-01-31', 3, 'floating', 2, 2.1],
  ['CEDARTFC1', '2019-03-18', 5, 'floating', 2, 1.1],
  ['CEDARTFC2', '2022-11-14', 5, 'floating', 2, 1.25],
  ['CEDARTFC3', '2025-02-20', 7, 'fixed', 2, 1.6],
  ['DUNEPWRSC1', '2020-08-26', 5, 'floating', 4, 1.7],
  ['DUNEPWRSC2', '2025-09-11', 5, 'floating', 4, 1.45],
  ['HARBORSC1', '2020-12-07', 3, 'floating', 4, 1.4],
  ['HARBORSC2', '2023-12-11', 5, 'floating', 4, 1.3],
  ['LARKMRTFC1', '2021-10-19', 4, 'fixed', 2, 1.9],
  ['LARKMRTFC2', '2024-06-24', 4, 'floating', 2, 1.55],
  ['OXMERETFC1', '2021-06-02', 6, 'floating', 2, 1.2],
  ['OXMERETFC2', '2024-11-04', 5, 'fixed', 4, 1.75],
  ['SALTPNSC1', '2023-03-27', 4, 'floating', 4, 1.85],
  ['TAMRDGSC1', '2018-04-16', 10, 'floating', 2, 1.5],
  ['TAMRDGTFC2', '2026-03-09', 3, 'fixed', 2, 2],
];
