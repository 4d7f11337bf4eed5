import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { type Frequency, getCouponSchedule } from '../../src/bonds/index.ts';
import { addMonths, formatDay, parseDay } from '../../src/shared/calendar.ts';
import { ANY_DAYS_LEFT, settledBond } from './arbitrary.ts';

describe('a coupon schedule', () => {
  test('matches the days that the State Bank printed for a 3-year bond', () => {
    expect(getScheduleAround('2023-08-20', 2, '2021-03-04')).toEqual({
      previous: '2021-02-20',
      next: '2021-08-20',
      remaining: 5,
      accruedDays: 12,
      periodDays: 181,
    });
  });

  test('uses the last day of a short month, and the original day in the next month', () => {
    const period = { previous: '2026-02-28', next: '2026-08-31' };
    expect(getScheduleAround('2028-08-31', 2, '2026-03-10')).toMatchObject(period);
    expect(getScheduleAround('2028-08-31', 4, '2027-12-01')).toMatchObject({
      previous: '2027-11-30',
      next: '2028-02-29',
    });
  });

  test('follows no end-of-month rule', () => {
    const period = { previous: '2025-08-28', next: '2026-02-28' };
    expect(getScheduleAround('2027-02-28', 2, '2025-12-01')).toMatchObject(period);
  });

  test('has the settlement day between neighbouring coupon days', () => {
    fc.assert(
      fc.property(settledBond(ANY_DAYS_LEFT), ({ bond, settlement }) => {
        const { previous, next, remaining, accruedDays, periodDays } = getCouponSchedule(
          bond,
          settlement,
        );
        expect(previous).toBeLessThanOrEqual(settlement);
        expect(next).toBeGreaterThan(settlement);
        const months = 12 / bond.frequency;
        expect(previous).toBe(addMonths(bond.maturity, -months * remaining));
        expect(next).toBe(addMonths(bond.maturity, -months * (remaining - 1)));
        expect(accruedDays).toBe(settlement - previous);
        expect(periodDays).toBe(next - previous);
      }),
    );
  });

  test('starts a period on each coupon day', () => {
    fc.assert(
      fc.property(
        settledBond(ANY_DAYS_LEFT),
        fc.integer({ min: 1, max: 200 }),
        ({ bond }, remaining) => {
          const previous = addMonths(bond.maturity, (-12 / bond.frequency) * remaining);
          expect(getCouponSchedule(bond, previous)).toMatchObject({ previous, remaining });
          expect(getCouponSchedule(bond, previous - 1)).toMatchObject({
            next: previous,
            remaining: remaining + 1,
          });
        },
      ),
    );
  });

  test('throws for a settlement that is no day', () => {
    const terms = { maturity: parseDay('2028-08-31'), frequency: 2 } as const;
    expect(() => getCouponSchedule(terms, Number.NaN)).toThrow(
      new RangeError('settlement NaN is not before maturity 2028-08-31'),
    );
  });
});

function getScheduleAround(maturity: string, frequency: Frequency, settlement: string) {
  const terms = { maturity: parseDay(maturity), frequency };
  const schedule = getCouponSchedule(terms, parseDay(settlement));
  return { ...schedule, previous: formatDay(schedule.previous), next: formatDay(schedule.next) };
}
