import { describe, expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

type Vector = readonly [number, number, number];

/** How red-green blindness of full severity changes linear RGB (Machado, Oliveira, Fernandes 2009). */
const VISION: Readonly<Record<string, readonly Vector[]>> = {
  normal: [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ],
  deuteranopia: [
    [0.367322, 0.860646, -0.227968],
    [0.280085, 0.672501, 0.047413],
    [-0.01182, 0.04294, 0.968881],
  ],
  protanopia: [
    [0.152286, 1.052583, -0.204868],
    [0.114503, 0.786281, 0.099216],
    [-0.003882, -0.048116, 1.051998],
  ],
};

/** In hundredths of OKLab's lightness: the colours before these differed by less than 1. */
const MIN_DISTANCE = 8;
const MIN_CONTRAST = 3;

const style = readFileSync(
  join(import.meta.dirname, '../../../src/explorer/style/theme.css'),
  'utf8',
);
const readColors = (pattern: RegExp) => [...style.matchAll(pattern)].map(([, ...colors]) => colors);
const chartColors = readColors(/--color: light-dark\((#\w{6}), (#\w{6})\)/g);
const [panelColors = []] = readColors(/--panel: light-dark\((#\w{6}), (#\w{6})\)/g);

describe.each(['light', 'dark'])('the colours of charts in the %s theme', (theme) => {
  const index = theme === 'light' ? 0 : 1;
  const colors = chartColors.map((pair) => pair[index] ?? '');
  const panel = panelColors[index] ?? '';

  test('are eight, each with enough contrast', () => {
    expect(colors).toHaveLength(8);
    for (const color of colors) {
      const [low = 0, high = 0] = [getLuminance(color), getLuminance(panel)].sort();
      expect((high + 0.05) / (low + 0.05)).toBeGreaterThanOrEqual(MIN_CONTRAST);
    }
  });

  test.each(Object.keys(VISION))('can be distinguished with %s vision', (vision) => {
    const seen = colors.map((color) => toOklab(applyMatrix(VISION[vision] ?? [], parse(color))));
    for (const [position, color] of seen.entries()) {
      for (const other of seen.slice(position + 1)) {
        expect(getDistance(color, other)).toBeGreaterThanOrEqual(MIN_DISTANCE);
      }
    }
  });
});

function parse(color: string): Vector {
  const channel = (start: number) => {
    const value = Number.parseInt(color.slice(start, start + 2), 16) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  };
  return [channel(1), channel(3), channel(5)];
}

function getLuminance(color: string): number {
  const [red, green, blue] = parse(color);
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function applyMatrix(rows: readonly Vector[], [x, y, z]: Vector): Vector {
  const [a = 0, b = 0, c = 0] = rows.map((row) =>
    Math.min(1, Math.max(0, row[0] * x + row[1] * y + row[2] * z)),
  );
  return [a, b, c];
}

function toOklab([red, green, blue]: Vector): Vector {
  const l = Math.cbrt(0.4122214708 * red + 0.5363325363 * green + 0.0514459929 * blue);
  const m = Math.cbrt(0.2119034982 * red + 0.6806995451 * green + 0.1073969566 * blue);
  const s = Math.cbrt(0.0883024619 * red + 0.2817188376 * green + 0.6299787005 * blue);
  return [
    0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s,
    1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s,
    0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s,
  ];
}

function getDistance(a: Vector, b: Vector): number {
  return 100 * Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
}
