import { expect, test } from 'bun:test';
import fc from 'fast-check';
import {
  formatDifference,
  formatExact,
  formatPair,
} from '../../../src/explorer/formatting/value-pair.ts';

const as = (kind: string) => ({ kind, unit: null });
const pair = (kind: string, old: unknown, later: unknown, isExact?: boolean) => {
  const { old: was, new: is } = formatPair(old, later, as(kind), isExact);
  return `${was} → ${is}`;
};

test('two values are written as everywhere on the page where that tells them apart', () => {
  expect(pair('price', 94.5, 95.48691)).toBe('94.5000 → 95.4869');
  expect(pair('percent', 12, 11.129927)).toBe('12.000 → 11.130');
  expect(pair('share', 0.417, 0.395)).toBe('41.7 → 39.5');
  expect(pair('amount', 1500, 1500.4)).toBe('1,500 → 1,500.4');
  expect(pair('count', 1234, -5)).toBe('1,234 → −5');
});

test('two that would look alike get more decimals: as many as tell them apart, and no more', () => {
  expect(pair('numbers', 12.34, 12.31)).toBe('12.34 → 12.31');
  expect(pair('numbers', 100.04, 100.02)).toBe('100.04 → 100.02');
  expect(pair('amount', 100.04, 100.02)).toBe('100.04 → 100.02');
  expect(pair('share', 0.10004, 0.10002)).toBe('10.004 → 10.002');
  expect(pair('numbers', -0.04, 0.04)).toBe('−0.04 → 0.04');
  expect(pair('price', 1.00001234, 1.00001299)).toBe('1.000012 → 1.000013');
});

test('neither gets decimals that it has not', () => {
  expect(pair('numbers', 100, 100.04)).toBe('100.0 → 100.04');
  expect(pair('percent', 11.1299, 11.129927)).toBe('11.1299 → 11.12993');
  expect(pair('amount', 12345, 12345.04)).toBe('12,345 → 12,345.04');
  expect(pair('count', 3, 3.4)).toBe('3 → 3.4');
});

test('two values that differ are never written alike, whatever they are', () => {
  const kinds = ['price', 'percent', 'years', 'amount', 'count', 'share', 'numbers'];
  const value = fc.integer({ min: -1e9, max: 1e9 });
  const step = fc.integer({ min: 1, max: 1e4 });
  fc.assert(
    fc.property(value, step, fc.constantFrom(...kinds), (one, more, kind) => {
      const written = formatPair(one / 1e5, (one + more) / 1e5, as(kind));
      expect(written.old).not.toBe(written.new);
    }),
  );
});

test('where there is no value, that is said; the other is written as everywhere', () => {
  expect(pair('percent', undefined, 10.8)).toBe('– → 10.800');
  expect(pair('percent', 10.8, undefined)).toBe('10.800 → –');
  expect(pair('percent', 10.8, undefined, true)).toBe('10.8 → –');
  expect(pair('percent', undefined, undefined)).toBe('– → –');
});

test('days, instants and texts are told in words, or as they are where these look alike', () => {
  expect(pair('day', '2026-12-02', '2026-12-03')).toBe('2 Dec 2026 → 3 Dec 2026');
  expect(pair('text', 'bond', 'tbill')).toBe('bond → tbill');
  expect(pair('instant', '2026-06-30T12:00:00+05:00', '2026-06-30T07:00:00Z')).toBe(
    '2026-06-30T12:00:00+05:00 → 2026-06-30T07:00:00Z',
  );
});

test('to the last digit, two values have all their digits and none besides', () => {
  expect(pair('percent', 12, 11.129927, true)).toBe('12 → 11.129927');
});

test('a value is told to its last digit', () => {
  expect(formatExact(11.129927, as('percent'))).toBe('11.129927');
  expect(formatExact(1234567.125, as('amount'))).toBe('1,234,567.125');
  expect(formatExact(0.1 + 0.2, as('price'))).toBe('0.30000000000000004');
  expect(formatExact(-5, as('count'))).toBe('−5');
});

test('a share is told in percent, without digits that only multiplying makes', () => {
  expect(formatExact(0.07, as('share'))).toBe('7');
  expect(formatExact(0.29, as('share'))).toBe('29');
});

test('days and instants are told in words, texts as they are, and nothing as such', () => {
  expect(formatExact('2026-06-30', as('day'))).toBe('30 Jun 2026');
  expect(formatExact('2026-06-30T12:00:00+05:00', as('instant'))).toBe('30 Jun 2026, 07:00 UTC');
  expect(formatExact('monthly', as('text'))).toBe('monthly');
  expect(formatExact(undefined, as('count'))).toBe('–');
  expect(formatExact(null, as('count'))).toBe('–');
});

test('a gap has its sign, and no digits that neither value has', () => {
  expect(formatDifference(100.2897, 99.2897, as('price'))).toBe('−1');
  expect(formatDifference(0.1, 0.3, as('amount'))).toBe('+0.2');
  expect(formatDifference(0.3, 0.35, as('share'))).toBe('+5');
  expect(formatDifference('a', 'b', as('text'))).toBeUndefined();
  expect(formatDifference(undefined, 1, as('count'))).toBeUndefined();
});
