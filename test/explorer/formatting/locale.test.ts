import { afterEach, expect, test } from 'bun:test';
import {
  formatDayLabel,
  formatInstantLabel,
  setLocale,
} from '../../../src/explorer/formatting/dates.ts';
import {
  formatExact,
  formatNumber,
  formatPair,
  formatSigned,
  formatTicks,
} from '../../../src/explorer/formatting/numbers.ts';

const PERCENT = { kind: 'percent', unit: 'percent' } as const;

afterEach(() => setLocale(undefined));

test('numbers are written with the separators of the locale', () => {
  setLocale('de-DE');
  expect(formatNumber(-1204.7, 1)).toBe('−1.204,7');
  expect(formatSigned(0.25, 2)).toBe('+0,25');
  expect(formatSigned(0.001, 2)).toBe('0,00');
  expect(formatTicks([0, 1_200_000])).toEqual(['0,0', '1,2 M']);
  expect(formatTicks([0, 20_000])).toEqual(['0', '20.000']);
  expect(formatExact(11.129927, PERCENT)).toBe('11,129927');
  expect(formatPair(11.1301, 11.1302, PERCENT)).toEqual({ old: '11,1301', new: '11,1302' });
});

test('digits of another script keep the sign of what is not zero', () => {
  setLocale('ar-EG');
  expect(formatSigned(0.25, 2)).toBe('+٠٫٢٥');
  expect(formatSigned(0, 2)).toBe('٠٫٠٠');
});

test('days are written as in the locale, and instants stay in UTC', () => {
  setLocale('de-DE');
  expect(formatDayLabel('2026-06-30')).toBe('30.06.2026');
  expect(formatInstantLabel('2026-07-03T06:13:00Z')).toBe('03.07.2026, 06:13 UTC');
  setLocale('en-US');
  expect(formatDayLabel('2026-06-30')).toBe('Jun 30, 2026');
});

test('the default is English, with the day before the month', () => {
  expect(formatNumber(1204.7, 1)).toBe('1,204.7');
  expect(formatTicks([-1_250_000])).toEqual(['−1.25 M']);
  expect(formatDayLabel('2026-06-30')).toBe('30 Jun 2026');
});
