import { expect, test } from 'bun:test';
import { placeTooltip } from '../../../src/explorer/charts/place-tooltip.ts';

const FRAME = { left: 50, right: 590, width: 600, height: 400 };

test('a tooltip stands next to its point, at the same height', () => {
  expect(placeTooltip(100, 200, 120, FRAME)).toEqual({ left: '112px', top: '140px' });
  expect(placeTooltip(500, 200, 120, FRAME)).toEqual({ right: '112px', top: '140px' });
});

test('a tooltip does not leave its chart upwards or downwards', () => {
  expect(placeTooltip(100, 10, 120, FRAME).top).toBe('0px');
  expect(placeTooltip(100, 395, 120, FRAME).top).toBe('280px');
});
