import { expect, test } from 'bun:test';
import {
  findPeriodIndex,
  findYearEarlierIndex,
  getShare,
} from '../../../src/explorer/funds/fund-record.ts';
import { fund } from './fixtures.ts';

const quarterly = fund(['2024-06-30', '2024-03-31', '2023-12-31', '2023-06-30'], {
  Cash: [1, 2, 3, 4],
});

test('takes the period of another fund by the day it ended, or the last before that', () => {
  expect(findPeriodIndex(quarterly.periods, '2024-03-31')).toBe(1);
  expect(findPeriodIndex(quarterly.periods, '2024-05-31')).toBe(1);
  expect(findPeriodIndex(quarterly.periods, '2025-01-31')).toBe(0);
  expect(findPeriodIndex(quarterly.periods, '2023-05-31')).toBeUndefined();
});

test('finds the period of the same month a year before, and no other', () => {
  expect(findYearEarlierIndex(quarterly.periods, 0)).toBe(3);
  expect(findYearEarlierIndex(quarterly.periods, 1)).toBeUndefined();
  const leap = fund(['2025-02-28', '2024-02-29'], {});
  expect(findYearEarlierIndex(leap.periods, 0)).toBe(1);
});

test('has no share of a class that the fund has not, nor in a period that it has not', () => {
  expect(getShare(quarterly, 'Cash', 2)).toBe(3);
  expect(getShare(quarterly, 'Bonds', 2)).toBeUndefined();
  expect(getShare(quarterly, 'Cash', undefined)).toBeUndefined();
});
