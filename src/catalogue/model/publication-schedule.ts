import type { PeriodName } from './period-unit.ts';

export interface PublicationSchedule {
  readonly cadence: Cadence;
  /** The usual delay after the end of a period, in days, or in business days if it is daily. */
  readonly delayDays: number;
  /** How many more such days may pass before data is late: publishers vary, and have holidays. */
  readonly toleranceDays: number;
  /** The instants of releases that are announced: each is that of the period whose usual one is nearest. */
  readonly dates?: readonly string[];
}

export type Cadence = PeriodName | 'by-fund';

/**
 * Quotes are published after the market closes, and loaded by the end of the next business day. The exchange
 * was closed on up to four weekdays in a row: on 28 March and from 31 March to 2 April 2025; on three at the
 * Eids of 2023 and 2024 (its notices).
 */
export const QUOTES_SCHEDULE: PublicationSchedule = {
  cadence: 'daily',
  delayDays: 1,
  toleranceDays: 3,
};

/** Fund managers report in the first half of the next month; no rule that names a day was found. */
export const FUNDS_SCHEDULE: PublicationSchedule = {
  cadence: 'by-fund',
  delayDays: 15,
  toleranceDays: 10,
};
