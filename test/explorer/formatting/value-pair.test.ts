import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import {
  formatDifference,
  formatExact,
  formatPair,
} from '../../../src/explorer/formatting/numbers.ts';

const toUnitInfo = (kind: string) => ({ kind, unit: null });

describe('formatPair', () => {
  const format = (kind: string, old: unknown, later: unknown, isExact?: boolean) => {
    const pair = formatPair(old, later, toUnitInfo(kind), isExact);
    return `${pair.old} → ${pair.new}`;
  };

  test.each([
    ['price', 94.5, 95.48691, '94.5000 → 95.4869'],
    ['percent', 12, 11.129927, '12.000 → 11.130'],
    ['share', 0.417, 0.395, '41.7 → 39.5'],
    ['amount', 1500, 1500.4, '1,500 → 1,500.4'],
    ['count', 1234, -5, '1,234 → −5'],
    ['day', '2026-12-02', '2026-12-03', '2 Dec 2026 → 3 Dec 2026'],
    ['text', 'bond', 'tbill', 'bond → tbill'],
  ])('uses the usual format of %s if the texts differ', (kind, old, later, text) => {
    expect(format(kind, old, later)).toBe(text);
  });

  test.each([
    ['numbers', 12.34, 12.31, '12.34 → 12.31'],
    ['numbers', 100.04, 100.02, '100.04 → 100.02'],
    ['amount', 100.04, 100.02, '100.04 → 100.02'],
    ['share', 0.10004, 0.10002, '10.004 → 10.002'],
    ['numbers', -0.04, 0.04, '−0.04 → 0.04'],
    ['price', 1.00001234, 1.00001299, '1.000012 → 1.000013'],
    // None that a value does not have.
    ['numbers', 100, 100.04, '100.0 → 100.04'],
    ['percent', 11.1299, 11.129927, '11.1299 → 11.12993'],
    ['amount', 12345, 12345.04, '12,345 → 12,345.04'],
    ['count', 3, 3.4, '3 → 3.4'],
  ])('adds as many decimals as distinguish two %s (%p, %p)', (kind, old, later, text) => {
    expect(format(kind, old, later)).toBe(text);
  });

  test('never formats two different numbers alike', () => {
    const kinds = ['price', 'percent', 'years', 'amount', 'count', 'share', 'numbers'];
    const value = fc.integer({ min: -1e9, max: 1e9 });
    const step = fc.integer({ min: 1, max: 1e4 });
    fc.assert(
      fc.property(value, step, fc.constantFrom(...kinds), (start, difference, kind) => {
        const pair = formatPair(start / 1e5, (start + difference) / 1e5, toUnitInfo(kind));
        expect(pair.old).not.toBe(pair.new);
      }),
    );
  });

  test('shows a missing value as a dash', () => {
    expect(format('percent', undefined, 10.8)).toBe('– → 10.800');
    expect(format('percent', 10.8, undefined)).toBe('10.800 → –');
    expect(format('percent', 10.8, undefined, true)).toBe('10.8 → –');
    expect(format('percent', undefined, undefined)).toBe('– → –');
  });

  test('shows instants as they were sent if their labels are the same', () => {
    expect(format('instant', '2026-06-30T12:00:00+05:00', '2026-06-30T07:00:00Z')).toBe(
      '2026-06-30T12:00:00+05:00 → 2026-06-30T07:00:00Z',
    );
  });

  test('shows full precision on request', () => {
    expect(format('percent', 12, 11.129927, true)).toBe('12 → 11.129927');
  });
});

test.each([
  ['percent', 11.129927, '11.129927'],
  ['amount', 1234567.125, '1,234,567.125'],
  ['price', 0.1 + 0.2, '0.30000000000000004'],
  ['count', -5, '−5'],
  // In percent, without the binary error of the multiplication.
  ['share', 0.07, '7'],
  ['share', 0.29, '29'],
  ['day', '2026-06-30', '30 Jun 2026'],
  ['instant', '2026-06-30T12:00:00+05:00', '30 Jun 2026, 07:00 UTC'],
  ['instant', '2026-06-30T12:00:00', '2026-06-30T12:00:00'],
  ['instant', '20260630T1200+05', '20260630T1200+05'],
  ['instant', '2016-12-31T23:59:60Z', '2016-12-31T23:59:60Z'],
  ['text', 'monthly', 'monthly'],
  ['count', undefined, '–'],
  ['count', null, '–'],
])('formatExact keeps the full precision of a %s: %p', (kind, value, text) => {
  expect(formatExact(value, toUnitInfo(kind))).toBe(text);
});

test.each([
  ['price', 100.2897, 99.2897, '−1'],
  ['amount', 0.1, 0.3, '+0.2'],
  ['share', 0.3, 0.35, '+5'],
  ['text', 'a', 'b', undefined],
  ['count', undefined, 1, undefined],
])('formatDifference signs the difference of two %s values', (kind, old, later, text) => {
  expect(formatDifference(old, later, toUnitInfo(kind))).toBe(text as string);
});
