import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { isinCheckDigit, isValidIsin } from '../../src/bonds/index.ts';

const REAL_ISINS = [
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
  test.each(REAL_ISINS)('%s, of a real security, is valid', (isin) => {
    expect(isValidIsin(isin)).toBe(true);
    expect(isinCheckDigit(isin.slice(0, 11))).toBe(Number(isin[11]));
  });

  test('has exactly one valid check digit', () => {
    fc.assert(
      fc.property(body, (text) => {
        const valid = [...'0123456789'].filter((digit) => isValidIsin(text + digit));
        expect(valid).toEqual([String(isinCheckDigit(text))]);
      }),
    );
  });

  test('with one wrong digit is never valid', () => {
    const digit = fc.integer({ min: 0, max: 9 });
    fc.assert(
      fc.property(
        fc.constantFrom(...REAL_ISINS),
        fc.nat({ max: 11 }),
        digit,
        (isin, index, wrong) => {
          fc.pre(/[0-9]/.test(isin.charAt(index)) && isin.charAt(index) !== String(wrong));
          expect(isValidIsin(isin.slice(0, index) + wrong + isin.slice(index + 1))).toBe(false);
        },
      ),
    );
  });

  test.each([
    ['lower case', 'us0378331005'],
    ['too short', 'US037833100'],
    ['too long', 'US03783310055'],
    ['a letter for the check digit', 'US037833100F'],
    ['a digit in the country', 'U00378331005'],
    ['a leading space', ' US0378331005'],
    ['a trailing line feed', 'US0378331005\n'],
    ['a hyphen inside', 'US-378331005'],
    ['nothing', ''],
  ])('with %s is invalid', (_, text) => {
    expect(isValidIsin(text)).toBe(false);
  });

  test.each(['us037833100', 'US03783310', 'US0378331005', ''])(
    'has no check digit to compute from %p',
    (text) => {
      expect(() => isinCheckDigit(text)).toThrow(RangeError);
    },
  );
});
