import { describe, expect, test } from 'bun:test';
import {
  formatDateRange,
  isInDateRange,
  parseDateRange,
  parseSpan,
  validateDateRange,
} from '../../../src/explorer/security/date-range.ts';

const quoted = { firstDate: '2016-07-01', lastDate: '2026-03-31' };

describe('the range of a security', () => {
  test('is a year back from the last quote where the address names none', () => {
    expect(parseDateRange({}, quoted)).toEqual({ from: '2025-03-31', to: undefined });
    expect(parseDateRange({ span: 'century' }, quoted)).toEqual({
      from: '2025-03-31',
      to: undefined,
    });
  });

  test.each([
    ['1M', '2026-02-28'],
    ['3M', '2025-12-31'],
    ['6M', '2025-09-30'],
    ['1Y', '2025-03-31'],
    ['3Y', '2023-03-31'],
    ['All', '2016-07-01'],
  ])('of %s begins on %s', (span, from) => {
    expect(parseDateRange({ span }, quoted)).toEqual({ from, to: undefined });
  });

  test('is what the days say, whatever the span', () => {
    const days = { from: '2020-01-01', to: '2020-02-01' };
    expect(parseDateRange({ span: '3M', ...days }, quoted)).toEqual(days);
    expect(parseDateRange({ to: '2020-02-01' }, quoted)).toEqual({
      from: undefined,
      to: '2020-02-01',
    });
  });

  test('takes no span that merely every object has', () => {
    expect(parseSpan({ span: 'constructor' })).toBe('1Y');
  });
});

describe('a range', () => {
  test('is refused where it begins after its end, with both days', () => {
    expect(validateDateRange({ from: '2026-02-02', to: '2026-02-01' })).toBe(
      'The range would begin on 2 Feb 2026, after its end on 1 Feb 2026.',
    );
    expect(validateDateRange({ from: '2026-02-01', to: '2026-02-01' })).toBeUndefined();
  });

  test('is refused where a day is none', () => {
    expect(validateDateRange({ from: '2026-02-30', to: undefined })).toContain(
      '“2026-02-30” is no day',
    );
    expect(validateDateRange({ from: undefined, to: 'soon' })).toContain('“soon” is no day');
  });

  test('holds its first and its last day, and is open where it has none', () => {
    const range = { from: '2026-02-01', to: '2026-02-03' };
    const days = ['2026-01-31', '2026-02-01', '2026-02-03', '2026-02-04'];
    expect(days.map((day) => isInDateRange(day, range))).toEqual([false, true, true, false]);
    expect(isInDateRange('1999-01-01', { from: undefined, to: '2026-02-03' })).toBe(true);
    expect(isInDateRange('2999-01-01', { from: '2026-02-01', to: undefined })).toBe(true);
  });

  test('is told in words', () => {
    expect(formatDateRange({ from: '2026-02-01', to: '2026-02-03' })).toBe(
      'from 1 Feb 2026 to 3 Feb 2026',
    );
    expect(formatDateRange({ from: undefined, to: '2026-02-03' })).toBe('to 3 Feb 2026');
  });
});
