import { expect, test } from 'bun:test';
import { assignClassColors, buildMix } from '../../../src/explorer/funds/build-allocation.ts';
import { fund } from './fixtures.ts';

const UNIT = { kind: 'numbers', unit: 'percent' };
const DATES = ['2024-02-29', '2024-01-31'];

test('the mix of a fund fills its bar in the order of the colours, with the newest shares', () => {
  const one = fund(DATES, { Cash: [20, 90], Bonds: [60, 10], Gold: [0, 0] });
  const other = fund(DATES, { Bonds: [70, 70], Cash: [30, 30] });
  const palette = assignClassColors([one, other], UNIT);
  expect(buildMix(one, palette)).toEqual([
    { label: 'Cash', share: 20, colorIndex: 1, start: 0, width: 0.25 },
    { label: 'Bonds', share: 60, colorIndex: 2, start: 0.25, width: 0.75 },
  ]);
  expect(buildMix(other, palette).map(({ label, colorIndex }) => [label, colorIndex])).toEqual([
    ['Cash', 1],
    ['Bonds', 2],
  ]);
});

test('a negative share has no width, and the classes that share a colour keep their names', () => {
  const classes = Array.from({ length: 12 }, (_, index) => [`C${index}`, [index + 1]] as const);
  const record = fund(['2024-02-29'], { Debt: [-10], ...Object.fromEntries(classes) });
  const segments = buildMix(record, assignClassColors([record], UNIT));
  expect(segments).toHaveLength(13);
  expect(segments.find(({ label }) => label === 'Debt')?.width).toBe(0);
  expect(segments.reduce((sum, { width }) => sum + width, 0)).toBeCloseTo(1);
});
