import { expect, test } from 'bun:test';
import type { CurveRecord } from '../../../src/client/generated.ts';
import { createSpreads } from '../../../src/explorer/market/create-spreads.ts';
import { curveOperation } from '../../../src/operations/curve/curve-operation.ts';
import { quote } from '../../support/quote-fixture.ts';

const [example] = curveOperation.example;
const points = [
  { years: 1, yield: 10 },
  { years: 2, yield: 11 },
  { years: 4, yield: 12 },
  { years: 5, yield: null },
];
const government = { ...example, points } as unknown as CurveRecord;

test('spreads are over the government curve, up to the ends of government maturities', () => {
  const quotes = [0.9, 4.4].map((maturityYears) => quote({ type: 'bond', maturityYears, ytm: 10 }));
  const corporate = quote({ type: 'corporate', maturityYears: 6, ytm: 14 });
  const getSpread = createSpreads({ quotes: [...quotes, corporate], curves: { government } });
  const getSpreadAt = (maturityYears: number, ytm: number) =>
    getSpread({ ...corporate, maturityYears, ytm });
  expect(getSpreadAt(1.5, 12)).toBeCloseTo(150, 10);
  expect(getSpreadAt(2, 10.5)).toBeCloseTo(-50, 10);
  // The curve goes on beyond its last point, as the service fits it to the longest quote.
  expect(getSpreadAt(4.4, 12)).toBeCloseTo(-20, 10);
  expect(getSpreadAt(0.9, 10)).toBeCloseTo(10, 10);
  expect(getSpreadAt(0.8, 10)).toBeUndefined();
  expect(getSpread(corporate)).toBeUndefined();
  // A yield of 0 was not computed.
  expect(getSpreadAt(2, 0)).toBeUndefined();
});

test('there are no spreads without a curve', () => {
  const bond = quote({ type: 'bond' });
  expect(createSpreads({ quotes: [bond], curves: {} })(bond)).toBeUndefined();
});
