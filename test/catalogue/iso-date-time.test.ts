import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { instant } from '../../src/catalogue/model/field-builders.ts';
import {
  ISO_DATE_TIME_PATTERN,
  isInstant,
  isIsoDateTime,
} from '../../src/catalogue/model/iso-date-time.ts';

const DATES = ['2026-06-30', '2024-02-29', '2026-181', '2024-366', '2026-W27-2', '2020-W53-7'];
const TIMES = [
  '12',
  '12:30',
  '12:30:15',
  '12.5',
  '12:30,5',
  '12:30:15.250',
  '00:00:00',
  '23:59:60',
];
const ENDS_OF_DAY = ['24', '24:00', '24:00:00', '24:00:00.000'];
const OFFSETS = ['', 'Z', '+05', '+0500', '+05:00', '-03:30', '-00:00'];

const dateTimes = [...TIMES, ...ENDS_OF_DAY].flatMap((time) =>
  DATES.flatMap((date) => {
    const basic = `${date.replaceAll('-', '')}T${time.replaceAll(':', '')}`;
    return OFFSETS.flatMap((offset) => [`${date}T${time}${offset}`, `${basic}${offset}`]);
  }),
);

describe('an ISO 8601 date-time', () => {
  test('may be extended or basic, of a calendar, ordinal or week date, of any precision and offset', () => {
    expect(dateTimes.filter((text) => !isIsoDateTime(text))).toEqual([]);
    expect(new Set(dateTimes).size).toBe(2 * 6 * 12 * 7);
  });

  test.each([
    '',
    '2026-06-30',
    '12:00',
    'T12:00',
    '2026-06T12:00',
    '2026T12',
    '2026-06-31T12:00',
    '2023-02-29T12:00',
    '20260631T12',
    '2026-00-10T12',
    '0000-01-01T00',
    '2026-366T12',
    '2026-000T12',
    '2025-W53-1T12',
    '2026-W00-1T12',
    '2026-W27-8T12',
    '2026W27T12',
    '2026-06-30T24:01',
    '2026-06-30T25',
    '2026-06-30T12:60',
    '2026-06-30T12:00:61',
    '2026-06-30T12:00:00+24:00',
    '2026-06-30T12:00+5',
    '2026-06-30T12:00+05:60',
    '2026-06-30 12:00:00',
    '2026-06-30t12:00',
    '2026-06-30T12:00z',
    ' 2026-06-30T12:00',
    '20260630T12:00',
    '2026-06-30T1200',
    '2026-0630T12:00',
    '2026-06-30T12:00.',
    '2026-06-30T12:',
    '2026-06-30T12:00\n',
    '２０２６-06-30T12:00',
    '+002026-06-30T12:00',
    '26-06-30T12:00',
  ])('is not %j', (text) => {
    expect(isIsoDateTime(text)).toBe(false);
  });

  test('is every text that Date writes', () => {
    const date = fc.date({
      min: new Date('0001-01-01'),
      max: new Date('9999-12-31'),
      noInvalidDate: true,
    });
    fc.assert(
      fc.property(date, (value) => {
        expect(isIsoDateTime(value.toISOString())).toBe(true);
        expect(isInstant(value.toISOString())).toBe(true);
      }),
    );
  });

  test('is an instant only in the form with seconds and offset, which Date reads', () => {
    const instants = dateTimes.filter(isInstant);
    expect(instants.filter((text) => Number.isNaN(Date.parse(text)))).toEqual([]);
    expect(instants).toContain('2026-06-30T12:30:15.250-03:30');
    expect(instants).not.toContain('2026-06-30T12:30:15');
    expect(instants).not.toContain('2026-06-30T23:59:60Z');
  });

  test('is what a field for it accepts, and its schema too', () => {
    const { isValid, schema } = instant('When');
    expect(schema).toEqual({ type: 'string', pattern: ISO_DATE_TIME_PATTERN.source });
    expect(dateTimes.filter((text) => !isValid(text))).toEqual([]);
    expect(dateTimes.filter((text) => !ISO_DATE_TIME_PATTERN.test(text))).toEqual([]);
    expect(isValid('2026-06-30')).toBe(false);
  });
});
