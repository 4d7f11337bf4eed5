import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { annual, monthly, quarterly } from '../../src/catalogue/model/period.ts';

const year = fc.integer({ min: 1, max: 9_999 });
const fourDigits = (value: number) => String(value).padStart(4, '0');

describe('periods', () => {
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
  ])('$name: %s is at %d', (kind, label, place) => {
    expect(kind.toOrdinal(label)).toBe(place);
  });

  test.each([
    [annual, ['', '24', '2024 ', 'fy24', 'FY 24', '2023-25', '2023-2023', '2024P', '2024-25 (P)']],
    [quarterly, ['', 'Q0 2024', 'Q5 2024', 'q1 2024', 'Q1-2024', 'Q1 24', 'Q2-FY24', ' Q1 2024']],
    [monthly, ['', 'January 2024', 'jan 2024', 'Jan-2024', 'Jan 24', 'Jan  2024', 'Jul-Sep 22']],
  ])('$name: other labels have no place', (kind, labels) => {
    expect(labels.filter((label) => kind.toOrdinal(label) !== undefined)).toEqual([]);
  });

  test('a label made from a place is at that place', () => {
    fc.assert(
      fc.property(fc.constantFrom(annual, quarterly, monthly), year, (kind, place) => {
        expect(kind.toOrdinal(kind.formatLabel(place))).toBe(place);
        expect(kind.formatLabel(place)).toMatch(kind.pattern);
      }),
    );
  });

  test('places follow the calendar: later months and quarters have greater places', () => {
    const names = [
      'Jan',
      'Feb',
      'Mar',
      'Apr',
      'May',
      'Jun',
      'Jul',
      'Aug',
      'Sep',
      'Oct',
      'Nov',
      'Dec',
    ];
    const month = fc.record({ year, month: fc.integer({ min: 0, max: 11 }) });
    fc.assert(
      fc.property(month, month, (a, b) => {
        const when = (it: typeof a) => Date.UTC(it.year + 10_000, it.month);
        const place = (it: typeof a) =>
          monthly.toOrdinal(`${names[it.month]} ${fourDigits(it.year)}`) ?? Number.NaN;
        expect(Math.sign(place(a) - place(b))).toBe(Math.sign(when(a) - when(b)));
        const quarter = (it: typeof a) =>
          quarterly.toOrdinal(`Q${Math.floor(it.month / 3) + 1} ${fourDigits(it.year)}`) ??
          Number.NaN;
        expect(quarter(a)).toBe(Math.floor(place(a) / 3));
      }),
    );
  });
});
