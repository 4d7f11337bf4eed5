import { describe, expect, test } from 'bun:test';
import { formatFigure, type UnitInfo } from '../../../src/explorer/formatting/numbers.ts';
import {
  computeChange,
  computeChanges,
  describeChange,
  findDecimals,
  getMaxDecimals,
  unifyDecimals,
} from '../../../src/explorer/series/compute-changes.ts';

const amount = { kind: 'amount', unit: 'PKR billion' };
const share = { kind: 'share', unit: 'fraction' };
const percent = { kind: 'numbers', unit: 'percent' };

test('computeChanges compares each value with the one before it that is given, and with no other', () => {
  const values = [100, 10, 20, undefined, 110, undefined, 25];
  const earlier = values.map((_, index) => values[index - 4]);
  const { values: changes, texts } = computeChanges(values, earlier, amount);
  expect(changes.map((change) => change && Math.round(change))).toEqual([
    ...[undefined, undefined, undefined, undefined],
    ...[10, undefined, 25],
  ]);
  expect(texts).toEqual([
    ...[undefined, undefined, undefined, undefined],
    ...['+10.0 %', undefined, '+25.0 %'],
  ]);
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

const describeText = (later: number, earlier: number, unitInfo: UnitInfo) =>
  describeChange(later, earlier, unitInfo)?.text;

describe('describeChange', () => {
  test('writes a change of exact figures with its sign and unit', () => {
    expect(describeChange(124.53, 100, amount)).toEqual({
      text: '+24.5 %',
      direction: 'up',
    });
    expect(describeChange(0.395, 0.417, share)).toEqual({
      text: '−2.2 pp',
      direction: 'down',
    });
    expect(describeText(10.79, 10.8, percent)).toBe('0.0 pp');
    expect(describeChange(1, 0, amount)).toBeUndefined();
  });

  test('has no direction where it is 0 as it is written', () => {
    expect(describeChange(100.04, 100, amount)).toEqual({ text: '0.0 %', direction: undefined });
    expect(describeChange(99.96, 100, amount)).toEqual({ text: '0.0 %', direction: undefined });
  });

  test('shows hundredths of rates, and of figures below a thousand that have them', () => {
    expect(describeText(11.16, 11.1, { kind: 'percent', unit: 'percent' })).toBe('+0.06 pp');
    const { unitInfo } = unifyDecimals({ unitInfo: amount, values: [103.92, 103.95] });
    expect(formatFigure(103.95, unitInfo)).toBe('103.95');
    expect(describeText(103.95, 103.92, unitInfo)).toBe('+0.03 %');
    const { unitInfo: large } = unifyDecimals({ unitInfo: amount, values: [1103.92] });
    expect(formatFigure(1103.92, large)).toBe('1,103.9');
  });

  test('shows no more digits than rounded figures have', () => {
    expect(describeText(1301.2, 1204.7, { ...amount, roundedTo: 1 })).toBe('+8.0 %');
    expect(describeText(14.1, 12.3, { ...amount, roundedTo: 1 })).toBe('+15 %');
    expect(describeText(14.1, 12.3, { ...percent, roundedTo: 1 })).toBe('+1.8 pp');
    expect(describeText(14, 12, { ...percent, roundedTo: 0 })).toBe('+2 pp');
  });

  test('gives a range, without a direction that rounding may account for', () => {
    expect(describeChange(0.3, 0.2, { ...amount, roundedTo: 1 })).toEqual({
      text: '0 to +133 %',
      direction: undefined,
    });
    expect(describeChange(3.1, 2.4, { ...amount, roundedTo: 1 })).toEqual({
      text: '+24 to +34 %',
      direction: 'up',
    });
    expect(describeChange(0.1, 0.4, { ...amount, roundedTo: 1 })?.direction).toBe('down');
  });
});

test('findDecimals takes the decimals of the most exact figure, and whole counts for exact', () => {
  expect(findDecimals([0.2, undefined, 3, 1e-7], amount)).toBe(7);
  expect(findDecimals([2, 3], amount)).toBe(0);
  expect(getMaxDecimals([2, 3.25, undefined, -1e-3])).toBe(3);
  expect(getMaxDecimals([0.1 + 0.2])).toBe(1);
  expect(getMaxDecimals([1.5e-10, 1e21])).toBe(11);
  expect(findDecimals([2, 3], { kind: 'amount', unit: 'institutions' })).toBeUndefined();
});
