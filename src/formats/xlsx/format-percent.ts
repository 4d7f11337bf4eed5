/**
 * A number as a percentage with all its digits: `13.5%` for 0.135. The decimal point is moved in the
 * text, because 0.287 times 100 is not 28.7.
 */
export function formatPercentCell(number: number): string {
  if (number === 0) return '0%';
  const [mantissa = '', exponent] = Math.abs(number).toExponential().split('e');
  const digits = mantissa.replace('.', '');
  // One digit before the point of the mantissa, and two for the percentage.
  const length = Number(exponent) + 3;
  const [integer, fraction] =
    length > 0
      ? [digits.slice(0, length).padEnd(length, '0'), digits.slice(length)]
      : ['0', '0'.repeat(-length) + digits];
  return `${number < 0 ? '-' : ''}${integer}${fraction && `.${fraction}`}%`;
}
