import { expect, test } from 'bun:test';
import { computeRowWindow } from '../../../src/explorer/components/row-window.ts';

test.each([0, 1, 449, 450, 12_345, 299_999, 310_000])(
  'a windowed table scrolled to %i pixels renders all visible rows, and keeps its height',
  (top) => {
    const view = { top: Math.min(top, 310_000 - 544), height: 544 };
    const { from, to, pixelsAbove, pixelsBelow } = computeRowWindow(10_000, 31, view);
    expect(from).toBeLessThanOrEqual(Math.floor(view.top / 31));
    expect(to).toBeGreaterThanOrEqual(Math.ceil((view.top + view.height) / 31));
    expect(to - from).toBeLessThan(100);
    expect(pixelsAbove + (to - from) * 31 + pixelsBelow).toBe(310_000);
  },
);

test('a windowed table that lost rows below its scroll position renders the last ones', () => {
  expect(computeRowWindow(301, 31, { top: 300_000, height: 544 })).toMatchObject({ to: 301 });
});
