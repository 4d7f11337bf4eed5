import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { DECLARATION_SCHEMA } from '../../src/catalogue/model/declaration.ts';
import {
  annual,
  createPeriodKind,
  monthly,
  PUBLISHED_KINDS,
  quarterly,
} from '../../src/catalogue/model/period.ts';
import {
  listFinerUnits,
  PERIOD_NAMES,
  PERIOD_TRAITS,
  PERIOD_UNITS,
  type PeriodUnit,
  type PeriodUnitTraits,
} from '../../src/catalogue/model/period-unit.ts';
import { addMonths, formatDay, isDay, parseDay } from '../../src/shared/calendar.ts';

const year = fc.integer({ min: 1, max: 9_999 });
const fourDigits = (value: number) => String(value).padStart(4, '0');

describe('period labels', () => {
  test.each([
    [annual, '2024', 2024],
    [annual, 'FY24', 2024],
    [annual, 'FY2024', 2024],
    [annual, '2023-24', 2024],
    [annual, '2023-2024', 2024],
    [annual, '1999-00', 2000],
    [annual, 'FY99', 1999],
    [annual, 'FY07', 2007],
    [quarterly, 'Q1 2024', 8096],
    [quarterly, 'Q4 2023', 8095],
    [monthly, 'Jan 2024', 24288],
    [monthly, 'Dec 2023', 24287],
  ])('$name: %s has ordinal %d', (kind, label, ordinal) => {
    expect(kind.toOrdinal(label)).toBe(ordinal);
  });

  test.each([
    [annual, ['', '24', '2024 ', 'fy24', 'FY 24', '2023-25', '2023-2023', '2024P', '2024-25 (P)']],
    [quarterly, ['', 'Q0 2024', 'Q5 2024', 'q1 2024', 'Q1-2024', 'Q1 24', 'Q2-FY24', ' Q1 2024']],
    [monthly, ['', 'January 2024', 'jan 2024', 'Jan-2024', 'Jan 24', 'Jan  2024', 'Jul-Sep 22']],
  ])('$name: other labels have no ordinal', (kind, labels) => {
    expect(labels.filter((label) => kind.toOrdinal(label) !== undefined)).toEqual([]);
  });

  test.each([
    [annual, '2024', '2024-12-31', '2025'],
    [annual, 'FY24', '2024-06-30', 'FY25'],
    [annual, 'FY99', '1999-06-30', 'FY00'],
    [annual, '2023-24', '2024-06-30', '2024-25'],
    [annual, '1999-2000', '2000-06-30', '2000-2001'],
    [quarterly, 'Q4 2023', '2023-12-31', 'Q1 2024'],
    [quarterly, 'Q1 2024', '2024-03-31', 'Q2 2024'],
    [monthly, 'Feb 2024', '2024-02-29', 'Mar 2024'],
    [monthly, 'Dec 2023', '2023-12-31', 'Jan 2024'],
  ])('$name: %s ends on %s, and %s follows', (kind, label, lastDay, next) => {
    expect(formatDay(kind.findLastDay(label) ?? Number.NaN)).toBe(lastDay);
    expect(kind.getNextLabel(label)).toBe(next);
    expect(kind.findLastDay(`${label}?`)).toBeUndefined();
  });

  test('a fiscal year that ends after 9999 has days too', () => {
    expect(annual.findLastDay('9999-00')).toBe(parseDay('9999-12-31') + 182);
  });

  test('formatting an ordinal and parsing the label gives the ordinal back', () => {
    fc.assert(
      fc.property(fc.constantFrom(annual, quarterly, monthly), year, (kind, ordinal) => {
        expect(kind.toOrdinal(kind.formatLabel(ordinal))).toBe(ordinal);
        expect(kind.formatLabel(ordinal)).toMatch(kind.pattern);
      }),
    );
  });

  test('ordinals follow the calendar', () => {
    const names = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ');
    const month = fc.record({ year, month: fc.integer({ min: 0, max: 11 }) });
    fc.assert(
      fc.property(month, month, (a, b) => {
        const toTime = (date: typeof a) => Date.UTC(date.year + 10_000, date.month);
        const toMonth = (date: typeof a) =>
          monthly.toOrdinal(`${names[date.month]} ${fourDigits(date.year)}`) ?? Number.NaN;
        expect(Math.sign(toMonth(a) - toMonth(b))).toBe(Math.sign(toTime(a) - toTime(b)));
        const quarter = `Q${Math.floor(a.month / 3) + 1} ${fourDigits(a.year)}`;
        expect(quarterly.toOrdinal(quarter)).toBe(Math.floor(toMonth(a) / 3));
      }),
    );
  });
});

describe('the table of kinds of period', () => {
  const [nextToLast, leapDay] = [parseDay('2023-12-31'), parseDay('2024-02-29')];

  test('is from the finest to the coarsest, and has what declarations and schedules may name', () => {
    const lengths = PERIOD_UNITS.map((unit) => 365 / PERIOD_TRAITS[unit].periodsPerYear);
    expect(lengths).toEqual(lengths.toSorted((a, b) => a - b));
    expect(DECLARATION_SCHEMA).toMatchObject({
      properties: {
        period: { properties: { kind: { enum: PERIOD_UNITS } } },
        schedule: { properties: { cadence: { enum: PERIOD_NAMES } } },
      },
    });
    expect(Object.keys(PUBLISHED_KINDS)).toEqual([...PERIOD_UNITS]);
  });

  test.each(PERIOD_UNITS)('each answer about a %s agrees with its calendar', (unit) => {
    const kind = createPeriodKind(unit);
    const { length, decisiveDay, hasDayLabels, hasYearStart } = PERIOD_TRAITS[unit];
    const { days = 0, months = 0 }: PeriodUnitTraits['length'] = length;
    for (const day of [nextToLast, leapDay]) {
      const ordinal = kind.findOrdinal(day);
      const first = kind.getFirstDay(ordinal);
      const next = kind.getFirstDay(ordinal + 1);
      expect(addMonths(first + days, months)).toBe(next);
      expect(first + decisiveDay).toBeLessThan(next);
      expect(isDay(kind.formatLabel(ordinal))).toBe(hasDayLabels);
      const [label, before] = [ordinal, kind.getYearBefore(ordinal)].map(kind.formatLabel);
      const years = [label, before].map((text) => Number(/[0-9]{4}/.exec(text ?? '')?.[0]));
      expect(years[1]).toBe(Number(years[0]) - 1);
    }
    const fiscal = createPeriodKind(unit, 7);
    expect(fiscal.formatLabel(fiscal.findOrdinal(leapDay)).includes('FY')).toBe(hasYearStart);
    expect([PUBLISHED_KINDS[unit].unit, PUBLISHED_KINDS[unit].name]).toEqual([unit, kind.name]);
    expect(kind.name).toBe(PERIOD_TRAITS[unit].name);
  });

  test('a table that lacks a kind, and a kind that lacks an answer, do not compile', () => {
    const { year, ...finer } = PERIOD_TRAITS;
    // @ts-expect-error years are missing
    const table: typeof PERIOD_TRAITS = finer;
    const { hasHolidays, ...others } = year;
    // @ts-expect-error it is not said whether it has holidays
    const row: PeriodUnitTraits = others;
    expect(Object.keys(table)).toEqual([...listFinerUnits('year')]);
    expect({ ...row, hasHolidays }).toEqual(year);
  });
});

describe('periods of five kinds', () => {
  const anyKind = fc.oneof(
    fc
      .tuple(fc.constantFrom(...PERIOD_UNITS), fc.integer({ min: 1, max: 12 }))
      .map(([unit, yearStart]) => createPeriodKind(unit, yearStart)),
    fc.constantFrom(annual, quarterly),
  );
  const anyDay = fc.integer({ min: parseDay('0002-01-01'), max: parseDay('9997-12-31') });

  test('each day is in one period, whose label gives its ordinal and its days back', () => {
    fc.assert(
      fc.property(anyKind, anyDay, (kind, day) => {
        const ordinal = kind.findOrdinal(day);
        const label = kind.formatLabel(ordinal);
        expect(label).toMatch(kind.pattern);
        expect(kind.toOrdinal(label)).toBe(ordinal);
        expect(kind.parseRequest(label)).toBe(ordinal);
        expect(kind.parseRequest(formatDay(day))).toBe(ordinal);
        const first = kind.getFirstDay(ordinal);
        const last = kind.findLastDay(label) ?? Number.NaN;
        expect([first <= day, day <= last]).toEqual([true, true]);
        expect([first, last].map(kind.findOrdinal)).toEqual([ordinal, ordinal]);
      }),
    );
  });

  test('ordinals are consecutive: the day after a period is the first of the next', () => {
    fc.assert(
      fc.property(anyKind, anyDay, (kind, day) => {
        const ordinal = kind.findOrdinal(day);
        const [label, next] = [kind.formatLabel(ordinal), kind.formatLabel(ordinal + 1)];
        expect(kind.getNextLabel(label)).toBe(next);
        expect(kind.getFirstDay(ordinal + 1)).toBe((kind.findLastDay(label) ?? Number.NaN) + 1);
      }),
    );
  });

  test.each<[PeriodUnit, number, string, string, string]>([
    ['day', 1, '2024-02-29', '2024-02-29', '2024-02-29'],
    ['week', 1, '2020-W53', '2020-12-28', '2021-01-03'],
    ['week', 1, '2021-W01', '2021-01-04', '2021-01-10'],
    ['week', 1, '2024-W52', '2024-12-23', '2024-12-29'],
    ['week', 1, '2025-W01', '2024-12-30', '2025-01-05'],
    ['week', 1, '2026-W53', '2026-12-28', '2027-01-03'],
    ['week', 1, '1969-W52', '1969-12-22', '1969-12-28'],
    ['week', 1, '1970-W01', '1969-12-29', '1970-01-04'],
    ['month', 7, 'Feb 2024', '2024-02-01', '2024-02-29'],
    ['quarter', 1, 'Q1 2026', '2026-01-01', '2026-03-31'],
    ['quarter', 7, 'Q1 FY2026', '2025-07-01', '2025-09-30'],
    ['quarter', 7, 'Q4 FY2026', '2026-04-01', '2026-06-30'],
    ['quarter', 2, 'Q4 FY2024', '2023-11-01', '2024-01-31'],
    ['year', 1, '2026', '2026-01-01', '2026-12-31'],
    ['year', 7, 'FY2026', '2025-07-01', '2026-06-30'],
    ['year', 12, 'FY2026', '2025-12-01', '2026-11-30'],
  ])('%s, years from month %d: %s is from %s to %s', (unit, yearStart, label, first, last) => {
    const kind = createPeriodKind(unit, yearStart);
    expect(formatDay(kind.getFirstDay(kind.toOrdinal(label) ?? Number.NaN))).toBe(first);
    expect(formatDay(kind.findLastDay(label) ?? Number.NaN)).toBe(last);
    expect(kind.formatLabel(kind.findOrdinal(parseDay(last)))).toBe(label);
  });

  test.each<[PeriodUnit, number | null, string, string | undefined]>([
    ['day', 1, '2026-01-31', '2026-01-31'],
    ['day', 1, '2026-02-29', undefined],
    ['day', 1, '2026-01', undefined],
    ['week', 1, '2026-W05', '2026-W05'],
    ['week', 1, '2026-01-01', '2026-W01'],
    ['week', 1, '2025-W53', undefined],
    ['week', 1, '2026-W00', undefined],
    ['month', 1, '2026-01', 'Jan 2026'],
    ['month', 1, '2026-13', undefined],
    ['month', 1, '2026-02-28', 'Feb 2026'],
    ['quarter', 1, '2026-Q1', 'Q1 2026'],
    ['quarter', 1, '2026-Q5', undefined],
    ['quarter', 7, '2026-Q1', undefined],
    ['quarter', 7, 'Q1 FY2026', 'Q1 FY2026'],
    ['quarter', 7, '2025-09-30', 'Q1 FY2026'],
    ['quarter', 7, 'Q1 2026', undefined],
    ['year', 1, '2026-12-31', '2026'],
    ['year', 1, 'FY2026', undefined],
    ['year', 7, '2026-07-01', 'FY2027'],
    ['year', null, 'FY26', '2026'],
    ['year', null, '2026-02-01', '2026'],
    ['year', null, '2023-25', undefined],
  ])('a %s, years from month %p, is requested as %s: %p', (unit, yearStart, text, label) => {
    const kind = yearStart === null ? annual : createPeriodKind(unit, yearStart);
    const ordinal = kind.parseRequest(text);
    expect(ordinal === undefined ? undefined : kind.formatLabel(ordinal)).toBe(label);
  });
});
