import { monthly, type PeriodKind } from '../../catalogue/model/period.ts';

/** A period of a series with what affects its figures. */
export interface SamplePeriod {
  readonly label: string;
  /** 0 for January or the first quarter; 0 for every year. */
  readonly season: number;
  /** How many of the two Eids fall in it; both raise the demand for cash. */
  readonly eidCount: number;
  /** Whether the pandemic closed shops and branches. */
  readonly isLockdown: boolean;
}

/** The periods from one label to another, inclusive. */
export function listPeriods(kind: PeriodKind, first: string, last: string): SamplePeriod[] {
  const months = { annual: 12, quarterly: 3, monthly: 1 }[kind.name];
  const [from, to] = [kind.toOrdinal(first), kind.toOrdinal(last)];
  if (from === undefined || to === undefined) throw new RangeError(`no label: ${first}, ${last}`);
  return Array.from({ length: to - from + 1 }, (_, index) => {
    const ordinal = from + index;
    const includesMonth = (label: string) =>
      Math.floor((monthly.toOrdinal(label) ?? 0) / months) === ordinal;
    return {
      label: kind.formatLabel(ordinal),
      season: ordinal % (12 / months),
      eidCount: EID_MONTHS.filter(includesMonth).length,
      isLockdown: LOCKDOWN_MONTHS.some(includesMonth),
    };
  });
}

/** The months of Eid al-Fitr and Eid al-Adha, which move through the year. */
const EID_MONTHS = Object.entries({
  2018: ['Jun', 'Aug'],
  2019: ['Jun', 'Aug'],
  2020: ['May', 'Jul'],
  2021: ['May', 'Jul'],
  2022: ['May', 'Jul'],
  2023: ['Apr', 'Jun'],
  2024: ['Apr', 'Jun'],
  2025: ['Mar', 'Jun'],
  2026: ['Mar', 'May'],
}).flatMap(([year, months]) => months.map((month) => `${month} ${year}`));

const LOCKDOWN_MONTHS = ['Apr 2020', 'May 2020'];
