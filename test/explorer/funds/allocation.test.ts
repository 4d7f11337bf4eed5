import { expect, test } from 'bun:test';
import {
  assignClassColors,
  buildAllocation,
  getPeriodSpan,
} from '../../../src/explorer/funds/allocation.ts';
import { fund } from './fixtures.ts';

const measure = { kind: 'numbers', unit: 'percent' };
const monthly = fund(['2024-03-31', '2024-02-29', '2024-01-31'], {
  Cash: [10, 20, 30],
  Bonds: [90, 80, 70],
});

test('draws newest first as oldest first', () => {
  const {
    xs,
    parts: components,
    gaps,
  } = buildAllocation(monthly, assignClassColors([monthly], measure), measure);
  expect(xs).toEqual(['2024-01-31', '2024-02-29', '2024-03-31'].map(Date.parse));
  expect(components.map(({ key, values, colorIndex }) => [key, values, colorIndex])).toEqual([
    ['Cash', [30, 20, 10], 1],
    ['Bonds', [70, 80, 90], 2],
  ]);
  expect(gaps).toEqual([]);
});

test('leaves a gap where a period is missing, and none between months of unlike length', () => {
  const dates = ['2024-06-30', '2024-05-31', '2024-03-31', '2024-02-29', '2024-01-31'];
  const broken = fund(dates, { Cash: [1, 2, 3, 4, 5] });
  const {
    parts: components,
    periods,
    gaps,
  } = buildAllocation(broken, assignClassColors([broken], measure), measure);
  expect(components[0]?.values).toEqual([5, 4, 3, undefined, 2, 1]);
  expect(periods[3]).toBeUndefined();
  expect(gaps.map(([after, before]) => [after.date, before.date])).toEqual([
    ['2024-03-31', '2024-05-31'],
  ]);
});

test('gives a class the same colour in two funds, and none to one that a fund has not', () => {
  const other = fund(['2024-03-31', '2023-12-31'], { Sukuk: [40, 30], Cash: [60, 70] });
  const colours = assignClassColors([monthly, other], measure);
  const span = getPeriodSpan([monthly, other]);
  const tones = (record: typeof other) =>
    buildAllocation(record, colours, measure, span).parts.map(({ key, colorIndex }) => [
      key,
      colorIndex,
    ]);
  expect(tones(monthly)).toEqual([
    ['Cash', 1],
    ['Bonds', 2],
  ]);
  expect(tones(other)).toEqual([
    ['Cash', 1],
    ['Sukuk', 3],
  ]);
});

test('stretches a fund to the span of the other', () => {
  const other = fund(['2024-04-30', '2023-12-31'], { Cash: [1, 2] });
  const span = getPeriodSpan([monthly, other]);
  const { xs, parts: components } = buildAllocation(
    monthly,
    assignClassColors([monthly], measure),
    measure,
    span,
  );
  expect([xs[0], xs.at(-1)]).toEqual([Date.parse('2023-12-31'), Date.parse('2024-04-30')]);
  expect(components[0]?.values).toEqual([undefined, 30, 20, 10, undefined]);
});

test('adds up the smallest of more classes than there are colours', () => {
  const rows = Array.from({ length: 10 }, (_, index) => [`class ${index}`, [index]] as const);
  const many = fund(['2024-03-31'], Object.fromEntries(rows));
  const { parts: components } = buildAllocation(many, assignClassColors([many], measure), measure);
  expect(components).toHaveLength(8);
  expect(components.at(-1)).toMatchObject({
    title: '3 others, together',
    values: [3],
    colorIndex: 7,
  });
});
