import { expect, test } from 'bun:test';
import { exactly, gap } from '../../../src/explorer/ledger/exactly.ts';

const as = (kind: string) => ({ kind, unit: null });

test('a value is told to its last digit', () => {
  expect(exactly(11.129927, as('percent'))).toBe('11.129927');
  expect(exactly(1234567.125, as('amount'))).toBe('1,234,567.125');
  expect(exactly(0.1 + 0.2, as('price'))).toBe('0.30000000000000004');
  expect(exactly(-5, as('count'))).toBe('−5');
});

test('two values that differ never look alike', () => {
  for (const kind of ['price', 'percent', 'amount', 'share']) {
    expect(exactly(0.30000001, as(kind))).not.toBe(exactly(0.30000002, as(kind)));
  }
});

test('a share is told in percent, without digits that only multiplying makes', () => {
  expect(exactly(0.07, as('share'))).toBe('7');
  expect(exactly(0.29, as('share'))).toBe('29');
});

test('days and instants are told in words, texts as they are, and nothing as such', () => {
  expect(exactly('2026-06-30', as('day'))).toBe('30 Jun 2026');
  expect(exactly('2026-06-30T12:00:00+05:00', as('instant'))).toBe('30 Jun 2026, 07:00 UTC');
  expect(exactly('monthly', as('text'))).toBe('monthly');
  expect(exactly(undefined, as('count'))).toBe('–');
  expect(exactly(null, as('count'))).toBe('–');
});

test('a gap has its sign, and no digits that neither value has', () => {
  expect(gap(100.2897, 99.2897, as('price'))).toBe('−1');
  expect(gap(0.1, 0.3, as('amount'))).toBe('+0.2');
  expect(gap(0.3, 0.35, as('share'))).toBe('+5');
  expect(gap('a', 'b', as('text'))).toBeUndefined();
  expect(gap(undefined, 1, as('count'))).toBeUndefined();
});
