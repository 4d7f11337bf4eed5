import { describe, expect, test } from 'bun:test';
import {
  assignColors,
  type BreakdownComponent,
  computePercentDomain,
} from '../../../src/explorer/series/breakdown-components.ts';

const unitInfo = { kind: 'share', unit: 'fraction' };
const createComponents = (...sizes: number[]): BreakdownComponent[] =>
  sizes.map((size, index) => {
    const key = String(index);
    return { key, title: key, field: 'list', unitInfo, values: [1, size] };
  });

describe('assignColors', () => {
  test('gives up to eight components a colour each, the neutral one last', () => {
    const { components, smallest } = assignColors(createComponents(1, 2, 3, 4, 5, 6, 7, 8), true);
    expect(components.map(({ colorIndex }) => colorIndex)).toEqual([1, 2, 3, 4, 5, 6, 8, 7]);
    expect(smallest).toEqual([]);
  });

  test('keeps the largest seven of more in their order, and sums the others', () => {
    const sizes = [1, 20, 30, 2, 40, 50, 60, 70, 80, 3];
    const { components, smallest } = assignColors(createComponents(...sizes), true);
    const colors = components.map(({ key, colorIndex }) => `${key}:${colorIndex}`);
    expect(colors.join(' ')).toBe('1:1 2:2 4:3 5:4 6:5 7:6 8:8 …:7');
    expect(components.at(-1)).toMatchObject({ title: '3 others, together', values: [3, 6] });
    expect(smallest.map(({ key }) => key)).toEqual(['0', '3', '9']);
  });

  test('takes for the size of a component its newest figure, which may not be the last period', () => {
    const sizes = [1, 20, 30, 2, 40, 50, 60, 70, 80, 3];
    const components = createComponents(...sizes).map((component, index) =>
      index === 1 ? { ...component, values: [90, undefined] } : component,
    );
    expect(assignColors(components, true).smallest.map(({ key }) => key)).toEqual(['0', '3', '9']);
  });

  test('gives the others the neutral colour where they may not be added up', () => {
    const sizes = [1, 20, 30, 2, 40, 50, 60, 70, 80];
    const { components } = assignColors(createComponents(...sizes), false);
    expect(components.map(({ colorIndex }) => colorIndex)).toEqual([7, 1, 2, 7, 3, 4, 5, 6, 8]);
  });
});

test.each([
  ['100.4 through rounding', [[60], [40.4]], [0, 100]],
  ['more than 101', [[60], [50]], [0, 110]],
  ['100 with negative shares', [[110], [-10]], [-10, 110]],
])('the domain of stacked percentages fits a sum of %s', (_, stack, domain) => {
  expect(computePercentDomain(stack)).toEqual(domain as [number, number]);
});
