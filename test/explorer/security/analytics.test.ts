import { expect, test } from 'bun:test';
import { formatFigureChange } from '../../../src/explorer/formatting/numbers.ts';
import { createAnalyticsRequest, SPREAD } from '../../../src/explorer/security/analytics.ts';

const ytm = { kind: 'percent', unit: 'percent' };
const price = { kind: 'price', unit: 'per 100 of face value' };

test('changes of yields and spreads are in basis points, those of prices in prices', () => {
  expect(formatFigureChange(0.111, ytm)).toBe('+11.1 bp');
  expect(formatFigureChange(-3.62, SPREAD)).toBe('−3.6 bp');
  expect(formatFigureChange(0.4521, price)).toBe('+0.4521');
});

test('changes have no more decimals than the figures have', () => {
  expect(formatFigureChange(0.03, { ...ytm, roundedTo: 2 })).toBe('+3 bp');
  expect(formatFigureChange(0.1, { ...ytm, roundedTo: 1 })).toBe('+10 bp');
  expect(formatFigureChange(0.0305, { ...ytm, roundedTo: 6 })).toBe('+3.1 bp');
  expect(formatFigureChange(-0.5, { ...price, roundedTo: 2 })).toBe('−0.50');
});

test('figures of a long range are requested in pages, which a request has time for', () => {
  const { parameters, allPages } = createAnalyticsRequest(['A', 'B'], {
    from: undefined,
    to: undefined,
  });
  expect(parameters).toMatchObject({ symbol: 'A,B', limit: 500 });
  expect(allPages).toBe(true);
});
