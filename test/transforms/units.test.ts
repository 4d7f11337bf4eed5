import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { UNITS_CODES, type UnitsCode } from '../../src/catalogue/model/transform-parameters.ts';
import { computeUnits, UNITS } from '../../src/transforms/units.ts';

test.each<[UnitsCode, figure: number, base: number, periodsPerYear: number, expected: number]>([
  ['lin', -1.5, 7, 12, -1.5],
  ['chg', 0.3, 0.1, 12, 0.2],
  ['ch1', -0.3, 0.1, 12, -0.4],
  ['chg', 5, 0, 12, 5],
  ['pch', 110, 100, 12, 10],
  ['pc1', 0.3, 0.2, 4, 50],
  ['pca', 121, 110, 4, 46.41],
  ['pca', 121, 110, 1, 10],
  ['cch', 110, 100, 12, 9.531017980432487],
  ['cca', 110, 100, 4, 38.12407192172995],
  ['log', 100, 7, 12, 4.605170185988092],
])('%s of %d, previously %d, with %d periods a year, is %d', (code, figure, base, periods, is) => {
  expect(computeUnits(code, figure, base, periods)).toBeCloseTo(is, 11);
});

const COMPARING = UNITS_CODES.filter((code) => 'base' in UNITS[code]);
const POSITIVE = UNITS_CODES.filter((code) => 'needsPositive' in UNITS[code]);

test('growth and logarithms need positive figures, and all but two codes something to compare with', () => {
  expect(COMPARING).toEqual(['chg', 'ch1', 'pch', 'pc1', 'pca', 'cch', 'cca']);
  expect(POSITIVE).toEqual(['pch', 'pc1', 'pca', 'cch', 'cca', 'log']);
  for (const code of UNITS_CODES) expect(computeUnits(code, null, 1, 12)).toBeNull();
  for (const code of COMPARING) expect(computeUnits(code, 1, null, 12)).toBeNull();
  for (const code of POSITIVE)
    for (const figure of [0, -1]) {
      expect(computeUnits(code, figure, 1, 12)).toBeNull();
      if (code !== 'log') expect(computeUnits(code, 1, figure, 12)).toBeNull();
    }
});

test('whatever the figures are, the result is a finite number or null', () => {
  const anyFigure = fc.option(fc.double({ noNaN: true, noDefaultInfinity: true }));
  const anyCode = fc.constantFrom(...UNITS_CODES);
  const anyPeriods = fc.constantFrom(1, 4, 12, 52, 365);
  fc.assert(
    fc.property(anyCode, anyFigure, anyFigure, anyPeriods, (code, figure, base, periods) => {
      const computed = computeUnits(code, figure, base, periods);
      expect(computed === null || Number.isFinite(computed)).toBe(true);
      const isPositive = figure !== null && base !== null && figure > 0 && base > 0;
      if (POSITIVE.includes(code) && COMPARING.includes(code) && !isPositive)
        expect(computed).toBeNull();
    }),
    { numRuns: 500 },
  );
  expect(computeUnits('pca', 1e10, 1e-10, 365)).toBeNull();
});

test('changes of percent are percentage points, growth is percent, whatever is measured', () => {
  const describe = (unit: string) =>
    Object.fromEntries(UNITS_CODES.map((code) => [code, UNITS[code].getUnit(unit)]));
  expect(describe('percent')).toMatchObject({ chg: 'percentage points', ch1: 'percentage points' });
  expect(describe('PKR billion')).toEqual({
    lin: 'PKR billion',
    chg: 'PKR billion',
    ch1: 'PKR billion',
    pch: 'percent',
    pc1: 'percent',
    pca: 'percent a year',
    cch: 'percent, continuously compounded',
    cca: 'percent a year, continuously compounded',
    log: 'natural logarithm of PKR billion',
  });
});
