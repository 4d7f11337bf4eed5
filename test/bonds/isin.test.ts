import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { isinCheckDigit, isValidIsin } from '../../src/bonds/index.ts';

const REAL = [
  'US0378331005',
  'US06406RAH03',
  'GB0009997999',
  'DE0001102622',
  'FR001400QMF9',
  'CH0127181169',
  'AU300TB01208',
];

const body = fc.stringMatching(/^[A-Z]{2}[A-Z0-9]{9}$/);

describe('an ISIN', () => {
  test.each(REAL)('%s, of a real security, is valid', (isin) => {
    expect(isValidIsin(isin)).toBe(true);
    expect(isinCheckDigit(isin.slice(0, 11))).toBe(Number(isin[11]));
  });

  test('is made valid by exactly one check digit of the ten', () => {
    fc.assert(
      fc.property(body, (text) => {
        const valid = [...'0123456789'].filter((digit) => isValidIsin(text + digit));
        expect(valid).toEqual([String(isinCheckDigit(text))]);
      }),
    );
  });

  test('with one digit wrong is never valid', () => {
    const digit = fc.integer({ min: 0, max: 9 });
    fc.assert(
      fc.property(fc.constantFrom(...REAL), fc.nat({ max: 11 }), digit, (isin, place, wrong) => {
        fc.pre(/[0-9]/.test(isin.charAt(place)) && isin.charAt(place) !== String(wrong));
        expect(isValidIsin(isin.slice(0, place) + wrong + isin.slice(place + 1))).toBe(false);
      }),
    );
  });

  test.each([
    ['lower case', 'us0378331005'],
    ['too short', 'US037833100'],
    ['too long', 'US03783310055'],
    ['a letter for the check digit', 'US037833100F'],
    ['a digit in the country', 'U00378331005'],
    ['a space in front', ' US0378331005'],
    ['a line end behind', 'US0378331005\n'],
    ['a sign inside', 'US-378331005'],
    ['nothing', ''],
  ])('is refused with %s', (_, text) => {
    expect(isValidIsin(text)).toBe(false);
  });

  test.each(['us037833100', 'US03783310', 'US0378331005', ''])(
    'has no check digit to compute from %p',
    (text) => {
      expect(() => isinCheckDigit(text)).toThrow(RangeError);
    },
  );
});
