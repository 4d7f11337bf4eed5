import { describe, expect, test } from 'bun:test';
import {
  computeChange,
  computeChanges,
  formatChange,
} from '../../../src/explorer/breakdown/breakdown-components.ts';

const amount = { kind: 'amount', unit: 'PKR billion' };
const share = { kind: 'share', unit: 'fraction' };
const percent = { kind: 'numbers', unit: 'percent' };

test('computeChanges compares each value with the one a year before, and with no other', () => {
  const values = [100, 10, 20, undefined, 110, undefined, 25];
  const changes = computeChanges({ values, unitInfo: amount }, 4);
  expect(changes.slice(0, 4)).toEqual([undefined, undefined, undefined, undefined]);
  expect(changes[4]).toBeCloseTo(10, 10);
  expect(changes[5]).toBeUndefined();
  expect(changes[6]).toBeCloseTo(25, 10);
});

describe('computeChange', () => {
  test('compares shares in percentage points', () => {
    expect(computeChange(0.395, 0.417, share)).toBeCloseTo(-2.2, 10);
    expect(computeChange(10.8, 14.8, percent)).toBeCloseTo(-4, 10);
  });

  test('is undefined where a value is missing, or an amount was 0', () => {
    expect(computeChange(5, undefined, amount)).toBeUndefined();
    expect(computeChange(5, 0, amount)).toBeUndefined();
    expect(computeChange(undefined, 5, percent)).toBeUndefined();
    expect(computeChange(5, 0, percent)).toBe(5);
  });
});

test('formatChange writes a change with its sign and unit', () => {
  expect(formatChange(24.53, amount)).toBe('+24.5 %');
  expect(formatChange(-2.2, share)).toBe('−2.2 pp');
  expect(formatChange(-0.01, percent)).toBe('0.0 pp');
});
