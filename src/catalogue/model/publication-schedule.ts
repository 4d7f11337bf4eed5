import type { PeriodKind } from './period.ts';

/** How often the data of a dataset is published, and how long after its day or period. */
export interface PublicationSchedule {
  readonly cadence: (typeof CADENCES)[number];
  /** The usual delay after the end of a period: days, or business days where it is daily. */
  readonly delayDays: number;
  /** How many more such days pass before data is late: publishers vary, and have holidays. */
  readonly toleranceDays: number;
}

export const CADENCES = ['daily', 'monthly', 'quarterly', 'annual', 'by-fund'] as const;

/**
 * Quotes of a day are published after the market closes, and loaded by the end of the next
 * business day. The exchange was closed on up to four weekdays in a row: on 28 March and from
 * 31 March to 2 April 2025; on three at the Eids of 2023 and 2024 (its notices).
 */
export const QUOTES_SCHEDULE: PublicationSchedule = {
  cadence: 'daily',
  delayDays: 1,
  toleranceDays: 3,
};

/** Fund managers report in the first half of the next month; no rule with a day was found. */
export const FUNDS_SCHEDULE: PublicationSchedule = {
  cadence: 'by-fund',
  delayDays: 15,
  toleranceDays: 10,
};

/**
 * Quarters: the State Bank's Payment Systems Reviews came 59 (Q3 FY23), 73 (Q2 FY24), 81 (Q1
 * FY25) and 87 days (Q2 FY25) after the end of the quarter. Years: that of FY25 came after 126
 * days, on 3 November 2025. Months: no calendar was found; as central banks' bulletins, in the
 * middle of the second month after.
 */
export const SERIES_SCHEDULES: Readonly<Record<PeriodKind['name'], PublicationSchedule>> = {
  monthly: { cadence: 'monthly', delayDays: 45, toleranceDays: 15 },
  quarterly: { cadence: 'quarterly', delayDays: 80, toleranceDays: 20 },
  annual: { cadence: 'annual', delayDays: 130, toleranceDays: 30 },
};
