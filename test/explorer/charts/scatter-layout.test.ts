import { expect, test } from 'bun:test';
import {
  buildCloudPaths,
  CLOUD_SCALE,
  layOutCurveLabels,
  layOutLabels,
} from '../../../src/explorer/charts/scatter-layout.ts';

const scales = {
  width: 600,
  right: 590,
  top: 12,
  x: (value: number) => value,
  y: (value: number) => 400 - value,
};

test('a cloud has a mark for points that would cover each other, on a path for their number', () => {
  const points = [
    ...Array.from({ length: 11 }, () => [70, 50]),
    ...[10, 10.4].map((x) => [x * CLOUD_SCALE, 100]),
    [300 * CLOUD_SCALE, 100],
  ].map(([x = 0, y = 0]) => ({ key: `${x}`, x, y, colorIndex: 1 }));
  const top = Math.round(3_000 / CLOUD_SCALE) / 10;
  expect(buildCloudPaths(points, scales, 'h1')).toEqual([
    `M300,${top}h1`,
    `M10,${top}h1`,
    '',
    'M100,500h1',
  ]);
});

const end = (name: string, percent: number) => ({
  name,
  colorIndex: 1,
  points: [[500, percent]] as const,
});

test('names at the ends of lines are moved until they do not overlap, in the order of the lines, also at the top', () => {
  const labels = layOutLabels([end('low', 100), end('high', 103), end('far', 300)], scales);
  expect(labels.map(({ name, top }) => [name, top])).toEqual([
    ['low', 292],
    ['high', 278],
    ['far', 92],
  ]);
  const atTop = layOutLabels([end('low', 386), end('high', 388)], scales);
  expect(atTop.map(({ top }) => top)).toEqual([26, 12]);
});

test('the name of a curve is beside its end, if there is room', () => {
  const labels = layOutCurveLabels([end('low', 100), end('a name too long for that', 300)], scales);
  expect(labels.map(({ name, left, anchor }) => [name, left, anchor])).toEqual([
    ['low', 508, 'start'],
    ['a name too long for that', 500, 'end'],
  ]);
});

test('the name of the lower of two curves is below it, if the other is near', () => {
  const narrow = { ...scales, right: 510 };
  const rising = { ...end('low', 380), points: [[480, 370] as const, [500, 380] as const] };
  const near = layOutCurveLabels([end('high', 384), rising], narrow);
  expect(near.map(({ name, top }) => [name, top])).toEqual([
    ['low', 44],
    ['high', 12],
  ]);
  const distant = layOutCurveLabels([end('high', 350), end('low', 300)], narrow);
  expect(distant.map(({ top }) => top)).toEqual([92, 42]);
});
