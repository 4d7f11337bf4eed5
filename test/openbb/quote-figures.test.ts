import { expect, test } from 'bun:test';
import { quotes } from '../../src/catalogue/datasets/quotes.ts';
import { THEMES } from '../../src/openbb/figures/figure.ts';
import {
  buildCurveFigure,
  buildMarketFigure,
  buildSecurityFigure,
} from '../../src/openbb/figures/quote-figures.ts';
import { curveOperation } from '../../src/operations/curve/curve-operation.ts';

const { example } = quotes;
const [curve] = curveOperation.example;

test('the market has a point for each quote with a yield, a trace for each type', () => {
  const records = [example, { ...example, type: 'bond', symbol: 'B', ytm: 0 }];
  const { data } = buildMarketFigure(records, THEMES.light);
  expect(data).toHaveLength(1);
  expect(data[0]).toMatchObject({ name: 'tbill', x: [example.maturityYears], y: [example.ytm] });
});

test('a security has price and yield oldest first, with a gap where there is none', () => {
  const records = [
    { ...example, date: '2026-06-30' },
    { ...example, date: '2026-06-29', lastPrice: 0, ytm: 0 },
    { ...example, date: '2026-06-26' },
  ];
  const { data, layout } = buildSecurityFigure(records, THEMES.light);
  // Of a few days, the axis names each rather than hours.
  expect(layout.xaxis).toMatchObject({ tickvals: records.map(({ date }) => date) });
  const { lastPrice, ytm } = example;
  const x = ['2026-06-26', '2026-06-29', '2026-06-30'];
  expect(data[0]).toMatchObject({ x, y: [lastPrice, null, lastPrice], yaxis: 'y' });
  expect(data[0]?.mode).toBe('lines+markers');
  expect(data[1]).toMatchObject({ x, y: [ytm, null, ytm], yaxis: 'y2' });
});

test('a curve has a line for each rate that is known', () => {
  const points = curve.points.map((point) => ({ ...point, par: null }));
  const { data } = buildCurveFigure([{ ...curve, points }], THEMES.dark);
  expect(data.map(({ name }) => name)).toEqual(['Fitted yield', 'Zero', 'Forward']);
  expect(data[1]).toMatchObject({ x: [1], y: [11.085243] });
});

test('curves of several dates have a line for each date, of fitted yields', () => {
  const { data } = buildCurveFigure([curve, { ...curve, date: '2026-05-29' }], THEMES.dark);
  expect(data.map(({ name }) => name)).toEqual(['2026-06-30', '2026-05-29']);
  expect(data[0]).toMatchObject({ y: [11.392418] });
});

test('the axis of a security names each of eight days, and those of more by itself', () => {
  const build = (count: number) =>
    buildSecurityFigure(
      Array.from({ length: count }, (_, index) => ({ ...example, date: `2026-06-${10 + index}` })),
      THEMES.light,
    );
  expect(build(8).layout.xaxis).toContainKey('tickvals');
  expect(build(9).layout.xaxis).not.toContainKey('tickvals');
  expect(build(9).data[0]?.mode).toBe('lines');
  expect(build(1).data[0]?.mode).toBe('lines+markers');
});
