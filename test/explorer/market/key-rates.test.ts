import { describe, expect, test } from 'bun:test';
import type { CurveRecord } from '../../../src/client/generated.ts';
import {
  chooseHistoryDays,
  getHistoryStart,
  getKeyRateChange,
  getKeyRateValue,
  KEY_RATES,
  KEY_TENORS,
  listReferenceDays,
} from '../../../src/explorer/market/key-rates.ts';
import { curveOperation } from '../../../src/operations/curve/curve-operation.ts';

const [example] = curveOperation.example;
const [point] = example.points;
const curve = {
  ...example,
  points: [
    { ...point, tenor: '2Y', yield: 11.5, zero: 11 },
    { ...point, tenor: '10Y', yield: 12.25, zero: null },
    { ...point, tenor: '30Y', yield: null, zero: null },
  ],
} as CurveRecord;

const findRate = (name: string) => {
  const keyRate = KEY_RATES.find(({ key }) => key === name);
  if (!keyRate) throw new Error(`there is no ${name}`);
  return keyRate;
};

describe('the key rates', () => {
  test('are read at tenors that the service takes', () => {
    expect(curveOperation.parameters.tenors.parse(KEY_TENORS)).toHaveLength(12);
  });

  test('are rates in percent, and slopes in basis points', () => {
    expect(getKeyRateValue(curve, findRate('2Y'), 'yield')).toBe(11.5);
    expect(getKeyRateValue(curve, findRate('2s10s'), 'yield')).toBe(75);
    expect(getKeyRateValue(curve, findRate('2s10s'), 'zero')).toBeUndefined();
    expect(getKeyRateValue(curve, findRate('10s30s'), 'yield')).toBeUndefined();
    expect(getKeyRateValue(undefined, findRate('2Y'), 'yield')).toBeUndefined();
  });

  test('change in basis points', () => {
    expect(getKeyRateChange(11.5, 11.25, findRate('2Y'))).toBe(25);
    expect(getKeyRateChange(75, 100, findRate('2s10s'))).toBe(-25);
    expect(getKeyRateChange(75, undefined, findRate('2s10s'))).toBeUndefined();
  });

  test('are compared with weekdays before, newest first', () => {
    expect(listReferenceDays('2026-03-02', '2026-02-15')).toEqual([
      { name: 'Day before', date: '2026-02-27' },
      { name: 'Week', date: '2026-02-23' },
      { name: 'Chosen day', date: '2026-02-13' },
      { name: 'Month', date: '2026-02-02' },
      { name: 'Since January', date: '2025-12-31' },
      { name: 'Year', date: '2025-02-28' },
    ]);
    expect(listReferenceDays('2026-03-02', '2026-03-02')).toHaveLength(5);
  });
});

describe('the history of a key rate', () => {
  test('starts with the last day of the year before, or with the first quotes', () => {
    expect(getHistoryStart('2026-06-30', 'year', '2023-07-03')).toBe('2025-12-31');
    expect(getHistoryStart('2026-06-30', '12m', '2023-07-03')).toBe('2025-06-30');
    expect(getHistoryStart('2026-06-30', 'all', '2023-07-03')).toBe('2023-07-03');
    expect(getHistoryStart('2023-08-01', 'year', '2023-07-03')).toBe('2023-07-03');
  });

  test.each([
    ['2025-06-30', 'day'],
    ['2023-07-03', 'week'],
    ['2016-07-01', 'week'],
    ['2015-12-31', 'month'],
  ] as const)('since %s has the last day of each %s', (from, every) => {
    expect(chooseHistoryDays(from, '2026-06-30')).toEqual({ from, to: '2026-06-30', every });
  });
});
