import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { annual, monthly, quarterly } from '../../src/catalogue/model/period.ts';
import { formatDay } from '../../src/shared/calendar.ts';

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
