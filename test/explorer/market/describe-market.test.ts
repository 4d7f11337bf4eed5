import { describe, expect, test } from 'bun:test';
import type { CurveRecord } from '../../../src/client/generated.ts';
import { describeMarket } from '../../../src/explorer/market/describe-market.ts';
import { curveOperation } from '../../../src/operations/curve/curve-operation.ts';

const [example] = curveOperation.example;

/** The government curve of a day with these yields. */
function createDay(date: string, two: number | null, ten: number | null) {
  const points = Object.entries({ '2Y': two, '10Y': ten }).map(([tenor, percent]) => {
    return { ...example.points[0], tenor, yield: percent };
  });
  return { date, curves: { government: { ...example, points } as CurveRecord } };
}

const today = createDay('2026-06-30', 11.72, 12.27);

describe('the sentence on a market', () => {
  test.each([
    ['2026-05-29', 12.56, ', down 29 bp since 29 May'],
    ['2026-05-29', 12.001, ', up 27 bp since 29 May'],
    ['2026-05-29', 12.2701, ', unchanged since 29 May'],
    ['2025-06-30', 12.3, ', down 3 bp since 30 Jun 2025'],
    ['2026-05-29', null, ', without one of 29 May to compare with'],
    ['2026-07-31', 12.15, ', 12 bp higher than on 31 Jul'],
    ['2027-01-29', 12.5, ', 23 bp lower than on 29 Jan 2027'],
    ['2026-07-31', 12.2701, ', the same as on 31 Jul'],
  ])('compared with %s and a 10-year yield of %p says%s', (date, ten, change) => {
    expect(describeMarket(today, createDay(date, 12, ten))).toBe(
      `10-year 12.27 %${change}; 2s10s 55 bp.`,
    );
  });

  test('says nothing of changes without another day to compare with', () => {
    for (const other of [undefined, today])
      expect(describeMarket(today, other)).toBe('10-year 12.27 %; 2s10s 55 bp.');
  });

  test('is empty where there are no quotes', () => {
    expect(describeMarket({ date: undefined, curves: {} }, today)).toBe('');
  });

  test('says which yields cannot be derived', () => {
    expect(describeMarket(createDay('2026-06-30', null, 12.27), undefined)).toBe(
      '10-year 12.27 %; no 2s10s, without a 2-year yield.',
    );
    const text = 'No 10-year yield of 30 Jun 2026: no government paper near it is quoted.';
    expect(describeMarket(createDay('2026-06-30', 11.72, null), today)).toBe(text);
    expect(describeMarket({ date: '2026-06-30', curves: {} }, today)).toBe(text);
  });

  test('has a minus sign before an inverted slope', () => {
    expect(describeMarket(createDay('2026-06-30', 12.5, 12.27), undefined)).toBe(
      '10-year 12.27 %; 2s10s −23 bp.',
    );
  });
});
