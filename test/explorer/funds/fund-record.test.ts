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

test.each([
  ['2024-03-31', 1],
  ['2024-05-31', 1],
  ['2025-01-31', 0],
  ['2023-05-31', -1],
])('findPeriodIndex finds the last period that had ended by %s', (day, index) => {
  expect(findPeriodIndex(quarterly.periods, day)).toBe(index);
});

test('findYearEarlierIndex finds the period of the same month a year before, and no other', () => {
  expect(findYearEarlierIndex(quarterly.periods, 0)).toBe(3);
  expect(findYearEarlierIndex(quarterly.periods, 1)).toBe(-1);
  const leap = fund(['2025-02-28', '2024-02-29'], {});
  expect(findYearEarlierIndex(leap.periods, 0)).toBe(1);
});

test('getShare is undefined for a class or period that the fund does not have', () => {
  expect(getShare(quarterly, 'Cash', 2)).toBe(3);
  expect(getShare(quarterly, 'Bonds', 2)).toBeUndefined();
  expect(getShare(quarterly, 'Cash', -1)).toBeUndefined();
});
