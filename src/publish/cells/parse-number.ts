import type { Field, FieldKind } from '../../catalogue/model/field.ts';
import { InvalidCell, quoteShort, type ValueFormat } from './value-format.ts';

type DecimalSign = ValueFormat['decimal'];

/**
 * Reads numbers as people and programs write them: grouped, signed, in parentheses, with an
 * exponent, with a percent sign on percentages and shares. Decimals are taken as the nearest
 * double; a number that a double may have rounded by a whole is refused, and so is one that may
 * as well be another.
 */
export function createNumberParser(
  field: Field,
  { decimal, isDecimalGuessed = false }: Pick<ValueFormat, 'decimal' | 'isDecimalGuessed'>,
): (text: string) => number | InvalidCell {
  const tooLarge = new InvalidCell(field.requirement);
  const readOther = (text: string): number | InvalidCell => {
    const value = parseNumber(text, decimal, field.kind);
    if (value === undefined)
      return new InvalidCell(explainInvalidNumber(text, decimal, field.kind));
    const isOpen = isDecimalGuessed || (decimal === ',' && text.includes('%'));
    return (isOpen && findAmbiguity(text, decimal, field)) || value;
  };
  return (text) => {
    const value = parsePlainNumber(text, decimal) ?? readOther(text);
    if (value instanceof InvalidCell) return value;
    if (Math.abs(value) > Number.MAX_SAFE_INTEGER) return tooLarge;
    // Rounding leaves "-0.0" of a small loss; adding zero takes the sign off.
    return value + 0;
  };
}

/** Most numbers are as JavaScript writes them, and it reads them much faster than a pattern. */
function parsePlainNumber(text: string, decimal: DecimalSign): number | undefined {
  let plain = text;
  if (decimal === ',') {
    if (text.includes('.')) return undefined;
    plain = text.replace(/,/, '.');
  }
  const value = Number(plain);
  // Of 0x10, 0o7 and 0b1 too it makes numbers.
  const hasBase = plain.startsWith('0') && /^0[a-z]/i.test(plain);
  return Number.isNaN(value) || hasBase ? undefined : value;
}

/** Parentheses or a sign, digits, an exponent, a percent sign. */
const NUMBER_PARTS = /^(\()?([-+\u2212])?([^%()eE]*[^%()eE\s])([eE][-+]?\d+)?\s?(%)?(\))?$/;

/** What a percent sign does: 30 % is the percentage 30 and the share 0.3. */
const PERCENT_SHIFT: Partial<Record<FieldKind, string>> = { percent: '', share: 'e-2' };

function parseNumber(text: string, decimal: DecimalSign, kind: FieldKind): number | undefined {
  const [, open, sign, digits, exponent, percent, close] = NUMBER_PARTS.exec(text) ?? [];
  if (digits === undefined || (open === undefined) !== (close === undefined)) return undefined;
  if ((open && sign) || (exponent && percent)) return undefined;
  // The decimal point is shifted in the text: dividing 28.7 by 100 does not give 0.287.
  const shift = percent ? PERCENT_SHIFT[kind] : (exponent ?? '');
  if (shift === undefined || !DIGIT_PATTERNS[decimal].test(digits)) return undefined;
  const plain = digits.replace(decimal === '.' ? /[^\d.]/g : /[^\d,]/g, '').replace(',', '.');
  const size = Number(plain + shift);
  return open || (sign && sign !== '+') ? -size : size;
}

/** The digits of a number, by its decimal sign; the other sign may group them. */
const DIGIT_PATTERNS: Record<DecimalSign, RegExp> = {
  '.': buildDigitPattern(',', '.'),
  ',': buildDigitPattern('.', ','),
};

/**
 * In threes (1,234,567) or the Indian way (12,34,567), by one sign throughout. A group never
 * starts with zero: 0,125 is a fraction that was written with the other decimal sign.
 */
function buildDigitPattern(group: string, decimal: string): RegExp {
  const by = `[${group} \u00a0\u2009\u202f'\u2019]`;
  const threes = `[1-9]\\d{0,2}(?<by>${by})\\d{3}(?:\\k<by>\\d{3})*`;
  const indian = `[1-9]\\d?(?<pairsBy>${by})(?:\\d{2}\\k<pairsBy>)+\\d{3}`;
  return new RegExp(`^(?:\\d+|${threes}|${indian})?(?:[${decimal}]\\d+)?$`);
}

/**
 * The refusal of a number that the field takes with either decimal sign, such as 98,125; undefined
 * where there is but one meaning. Of percentages even a decimal comma that was given leaves two:
 * spreadsheets store them with a point, whatever their texts have.
 */
function findAmbiguity(text: string, decimal: DecimalSign, field: Field): InvalidCell | undefined {
  const [pointed, comma] = [parseNumber(text, '.', field.kind), parseNumber(text, ',', field.kind)];
  if (pointed === comma || !field.isValid(pointed) || !field.isValid(comma)) return undefined;
  const both = `${quoteShort(text)} may be ${comma} or ${pointed}`;
  const advice = decimal === '.' ? 'say --decimal , or --decimal .' : 'write it without a point';
  return new InvalidCell(`${getNumberRequirement(field.kind)}; ${both}: ${advice}`);
}

const getNumberRequirement = (kind: FieldKind) =>
  kind === 'count' ? 'a whole number' : 'a number';

/** What a text that is no number must be, with the likeliest way out. */
function explainInvalidNumber(text: string, decimal: DecimalSign, kind: FieldKind): string {
  const rule = getNumberRequirement(kind);
  const other = decimal === '.' ? ',' : '.';
  const meant = parseNumber(text, other, kind);
  if (meant !== undefined)
    return `${rule}; with --decimal ${other} ${quoteShort(text)} is ${meant}`;
  if (parseNumber(text, decimal, 'percent') !== undefined) {
    return `${rule} without %, which only percentages and shares may have`;
  }
  if (/\d/.test(text)) return rule;
  return `${rule}; if ${quoteShort(text)} stands for no value, name it in the mapping's blanks`;
}
