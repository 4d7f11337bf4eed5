import type { Field, FieldKind } from '../../catalogue/model/field.ts';
import { InvalidCell, quoteShort, type ValueFormat } from './value-format.ts';

type DecimalSign = ValueFormat['decimal'];
type NumberFormat = Pick<ValueFormat, 'decimal' | 'isDecimalGuessed' | 'decimalEvidence'>;

/** Parses numbers that may be grouped, signed, in parentheses, or have an exponent or a percent sign; rejects ambiguous ones. */
export function createNumberParser(
  field: Field,
  { decimal, isDecimalGuessed = false, decimalEvidence: evidence }: NumberFormat,
): (text: string) => number | InvalidCell {
  const tooLarge = new InvalidCell(field.requirement);
  const parseFormatted = (text: string): number | InvalidCell => {
    const value = parseNumberText(text, decimal, field.kind);
    if (value === undefined)
      return new InvalidCell(explainInvalidNumber(text, decimal, field.kind));
    const mayBeAmbiguous = isDecimalGuessed || (decimal === ',' && text.includes('%'));
    const ambiguity = mayBeAmbiguous && explainAmbiguity(text, decimal, field);
    return ambiguity ? new InvalidCell(`${getNumberRequirement(field.kind)}; ${ambiguity}`) : value;
  };
  return (text) => {
    const value = parsePlainNumber(text, decimal) ?? parseFormatted(text);
    if (value instanceof InvalidCell) return value;
    if (evidence?.isSettled === false && /[.,]/.test(text)) {
      const ambiguity = explainAmbiguity(text, decimal, field);
      if (ambiguity) evidence.open ??= ambiguity;
      else evidence.isSettled = true;
    }
    if (Math.abs(value) > Number.MAX_SAFE_INTEGER) return tooLarge;
    // A small loss is often rounded to "-0.0"; adding zero drops the sign.
    return value + 0;
  };
}

/** Most numbers are in JavaScript's own format, which is much faster to parse than with a pattern. */
function parsePlainNumber(text: string, decimal: DecimalSign): number | undefined {
  let plain = text;
  if (decimal === ',') {
    if (text.includes('.')) return undefined;
    plain = text.replace(/,/, '.');
  }
  const value = Number(plain);
  // Number() also accepts 0x10, 0o7 and 0b1.
  const hasBase = plain.startsWith('0') && /^0[a-z]/i.test(plain);
  return Number.isNaN(value) || hasBase ? undefined : value;
}

/** Parentheses or a sign, digits, an exponent, a percent sign. */
const NUMBER_PARTS = /^(\()?([-+\u2212])?([^%()eE]*[^%()eE\s])([eE][-+]?\d+)?\s?(%)?(\))?$/;

/** The exponent of a percent sign: 30 % is the percentage 30 and the share 0.3. */
const PERCENT_SHIFT: Partial<Record<FieldKind, string>> = { percent: '', share: 'e-2' };

export function parseNumberText(
  text: string,
  decimal: DecimalSign,
  kind: FieldKind,
): number | undefined {
  const [, open, sign, digits, exponent, percent, close] = NUMBER_PARTS.exec(text) ?? [];
  if (digits === undefined || (open === undefined) !== (close === undefined)) return undefined;
  if ((open && sign) || (exponent && percent)) return undefined;
  // Shifted in the text, because 28.7 divided by 100 is not 0.287.
  const shift = percent ? PERCENT_SHIFT[kind] : (exponent ?? '');
  if (shift === undefined || !DIGIT_PATTERNS[decimal].test(digits)) return undefined;
  const plain = digits.replace(decimal === '.' ? /[^\d.]/g : /[^\d,]/g, '').replace(',', '.');
  const size = Number(plain + shift);
  return open || (sign && sign !== '+') ? -size : size;
}

/** By decimal sign; the other sign may group the digits. */
const DIGIT_PATTERNS: Record<DecimalSign, RegExp> = {
  '.': buildDigitPattern(',', '.'),
  ',': buildDigitPattern('.', ','),
};

/** Groups of three or Indian groups (12,34,567), without a leading zero: 0,125 has the other decimal sign. */
function buildDigitPattern(group: string, decimal: string): RegExp {
  const by = `[${group} \u00a0\u2009\u202f'\u2019]`;
  const threes = `[1-9]\\d{0,2}(?<by>${by})\\d{3}(?:\\k<by>\\d{3})*`;
  const indian = `[1-9]\\d?(?<pairsBy>${by})(?:\\d{2}\\k<pairsBy>)+\\d{3}`;
  return new RegExp(`^(?:\\d+|${threes}|${indian})?(?:[${decimal}]\\d+)?$`);
}

/**
 * The readings of a number that is valid with either decimal sign, such as 98,125. Percentages are ambiguous
 * even with a known decimal comma, because spreadsheets store them with a point.
 */
function explainAmbiguity(text: string, decimal: DecimalSign, field: Field): string | undefined {
  const [withPoint, withComma] = [
    parseNumberText(text, '.', field.kind),
    parseNumberText(text, ',', field.kind),
  ];
  if (withPoint === withComma || !field.isValid(withPoint) || !field.isValid(withComma))
    return undefined;
  const both = `${quoteShort(text)} may be ${withComma} or ${withPoint}`;
  const advice = decimal === '.' ? 'say --decimal , or --decimal .' : 'write it without a point';
  return `${both}: ${advice}`;
}

const getNumberRequirement = (kind: FieldKind) =>
  kind === 'count' ? 'a whole number' : 'a number';

function explainInvalidNumber(text: string, decimal: DecimalSign, kind: FieldKind): string {
  const rule = getNumberRequirement(kind);
  const otherSign = decimal === '.' ? ',' : '.';
  const value = parseNumberText(text, otherSign, kind);
  if (value !== undefined)
    return `${rule}; with --decimal ${otherSign} ${quoteShort(text)} is ${value}`;
  if (parseNumberText(text, decimal, 'percent') !== undefined)
    return `${rule} without %, which only percentages and shares may have`;
  if (/\d/.test(text)) return rule;
  return `${rule}; if ${quoteShort(text)} stands for no value, name it in the mapping's blanks`;
}
