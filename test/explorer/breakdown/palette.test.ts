import { expect, test } from 'bun:test';
import type { BreakdownComponent } from '../../../src/explorer/breakdown/component.ts';
import { assignColors } from '../../../src/explorer/breakdown/palette.ts';

const measure = { kind: 'share', unit: 'fraction' };
const parts = (...sizes: number[]): BreakdownComponent[] =>
  sizes.map((size, index) => {
    const key = `part ${index}`;
    return { key, title: key, field: 'list', measure, values: [1, size] };
  });

test('gives up to eight parts a colour each, the neutral one last', () => {
  const { parts: toned, rest } = assignColors(parts(1, 2, 3, 4, 5, 6, 7, 8), true);
  expect(toned.map(({ colorIndex }) => colorIndex)).toEqual([1, 2, 3, 4, 5, 6, 8, 7]);
  expect(rest).toEqual([]);
});

test('keeps the largest seven of more, in their order, and adds up the rest in the neutral colorIndex', () => {
  const { parts: toned, rest } = assignColors(parts(1, 20, 30, 2, 40, 50, 60, 70, 80, 3), true);
  expect(toned.map(({ key, colorIndex }) => [key, colorIndex])).toEqual([
    ['part 1', 1],
    ['part 2', 2],
    ['part 4', 3],
    ['part 5', 4],
    ['part 6', 5],
    ['part 7', 6],
    ['part 8', 8],
    ['…', 7],
  ]);
  expect(toned.at(-1)).toMatchObject({ title: '3 others, together', values: [3, 6] });
  expect(rest.map(({ key }) => key)).toEqual(['part 0', 'part 3', 'part 9']);
});

test('leaves the rest apart, all in the neutral colorIndex, where they may not be added up', () => {
  const { parts: toned } = assignColors(parts(1, 20, 30, 2, 40, 50, 60, 70, 80), false);
  expect(toned.map(({ colorIndex }) => colorIndex)).toEqual([7, 1, 2, 7, 3, 4, 5, 6, 8]);
});
