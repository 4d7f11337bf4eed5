import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { createPeriodKind, type PeriodKind } from '../../src/catalogue/model/period.ts';
import { PERIOD_UNITS } from '../../src/catalogue/model/period-unit.ts';
import type { UnitsCode } from '../../src/catalogue/model/transform-parameters.ts';
import { parseDay } from '../../src/shared/calendar.ts';
import { findBasePeriod, nestPeriods } from '../../src/transforms/period-nesting.ts';

const anyKind = fc
  .tuple(fc.constantFrom(...PERIOD_UNITS), fc.integer({ min: 1, max: 12 }))
  .map(([unit, yearStart]) => createPeriodKind(unit, yearStart));
const anyDay = fc.integer({ min: parseDay('1900-01-01'), max: parseDay('2100-12-31') });

/** The day by which a period belongs to a coarser one. */
const getDecisiveDay = ({ unit, getFirstDay }: PeriodKind, ordinal: number) =>
  getFirstDay(ordinal) + (unit === 'week' ? 3 : 0);

describe('periods that make up coarser ones', () => {
  test('belong to the one with their first day, weeks to the one with their Thursday', () => {
    fc.assert(
      fc.property(anyKind, anyKind, anyDay, (own, kind, day) => {
        const nesting = nestPeriods(own, kind);
        if (!nesting || own.unit === kind.unit) return;
        const coarser = kind.findOrdinal(day);
        const first = nesting.getFirst(coarser);
        const next = nesting.getFirst(coarser + 1);
        expect(next).toBeGreaterThan(first);
        for (const ordinal of [first, next - 1]) {
          expect(nesting.toCoarser(ordinal)).toBe(coarser);
          expect(kind.findOrdinal(getDecisiveDay(own, ordinal))).toBe(coarser);
        }
        expect(nesting.toCoarser(first - 1)).toBe(coarser - 1);
        expect(nesting.toCoarser(next)).toBe(coarser + 1);
      }),
      { numRuns: 500 },
    );
  });

  test.each([
    ['2020-12-31', 'day', 'week', 1, '2020-W53'],
    ['2021-01-03', 'day', 'week', 1, '2020-W53'],
    ['2020-W53', 'week', 'year', 1, '2020'],
    ['2026-W05', 'week', 'month', 1, 'Jan 2026'],
    ['2026-W14', 'week', 'month', 1, 'Apr 2026'],
    ['2015-W01', 'week', 'quarter', 1, 'Q1 2015'],
    ['2026-W27', 'week', 'year', 7, 'FY2027'],
    ['Jun 2026', 'month', 'year', 7, 'FY2026'],
    ['Jul 2026', 'month', 'quarter', 7, 'Q1 FY2027'],
    ['Jan 2026', 'month', 'quarter', 2, 'Q4 FY2026'],
    ['2024-02-29', 'day', 'month', 1, 'Feb 2024'],
  ] as const)(
    '%s is a %s of the %s with years from month %d on that is %s',
    (label, own, unit, yearStart, expected) => {
      const ownKind = createPeriodKind(own);
      const kind = createPeriodKind(unit, yearStart);
      const coarser = nestPeriods(ownKind, kind)?.toCoarser(ownKind.toOrdinal(label) ?? Number.NaN);
      expect(kind.formatLabel(coarser ?? Number.NaN)).toBe(expected);
    },
  );
});

describe('the period that one is compared with', () => {
  const find = (kind: PeriodKind, label: string, units: UnitsCode, recorded: string[] = []) => {
    const days = recorded.map(parseDay);
    const ordinal = findBasePeriod(kind, kind.toOrdinal(label) ?? Number.NaN, units, (upTo) =>
      days.findLast((day) => day <= upTo),
    );
    return ordinal === undefined ? undefined : kind.formatLabel(ordinal);
  };

  test.each([
    ['week', 1, '2021-W01', '2020-W53', '2020-W01'],
    ['week', 1, '2020-W53', '2020-W52', '2019-W52'],
    ['week', 1, '2016-W01', '2015-W53', '2015-W01'],
    ['month', 1, 'Jan 2026', 'Dec 2025', 'Jan 2025'],
    ['quarter', 1, 'Q1 2026', 'Q4 2025', 'Q1 2025'],
    ['quarter', 7, 'Q1 FY2026', 'Q4 FY2025', 'Q1 FY2025'],
    ['year', 1, '2026', '2025', '2025'],
    ['year', 7, 'FY2026', 'FY2025', 'FY2025'],
  ] as const)(
    'of a %s, years from month %d on, is before %s %s, and a year before %s',
    (unit, yearStart, label, before, yearBefore) => {
      const kind = createPeriodKind(unit, yearStart);
      for (const units of ['chg', 'pch', 'pca', 'cch', 'cca'] as const)
        expect(find(kind, label, units)).toBe(before);
      for (const units of ['ch1', 'pc1'] as const)
        expect(find(kind, label, units)).toBe(yearBefore);
      for (const units of ['lin', 'log'] as const) expect(find(kind, label, units)).toBeUndefined();
    },
  );

  test.each([
    ['2026-03-02', 'chg', ['2026-02-20', '2026-02-27', '2026-03-02'], '2026-02-27'],
    ['2026-03-02', 'chg', ['2020-01-01'], '2020-01-01'],
    ['2026-03-02', 'chg', ['2026-03-02'], undefined],
    ['2026-03-02', 'ch1', ['2025-03-01', '2025-03-02', '2025-03-03'], '2025-03-02'],
    ['2026-03-09', 'ch1', ['2025-03-02', '2025-03-10'], '2025-03-02'],
    ['2026-03-09', 'ch1', ['2025-03-01', '2025-03-10'], undefined],
    ['2024-02-29', 'pc1', ['2023-02-27', '2023-02-28', '2023-03-01'], '2023-02-28'],
    ['2025-02-28', 'pc1', ['2024-02-28', '2024-02-29'], '2024-02-28'],
    ['2025-03-01', 'pc1', ['2024-02-29'], '2024-02-29'],
  ] as const)(
    'of the day %s by %s, with records on %p, is %p',
    (label, units, recorded, expected) => {
      expect(find(createPeriodKind('day'), label, units, [...recorded])).toBe(expected);
    },
  );
});
