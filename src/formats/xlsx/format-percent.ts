/**
 * A number as a percentage, all digits of it: `13.5%` for 0.135. The decimal point is moved in the
 * text, since 0.287 times 100 is not 28.7.
 */
export function formatPercentCell(number: number): string {
  if (number === 0) return '0%';
  const [mantissa = '', power] = Math.abs(number).toExponential().split('e');
  const digits = mantissa.replace('.', '');
  // How many digits stand before the point: one of the mantissa, and two that the percent takes.
  const whole = Number(power) + 3;
  const [before, after] =
    whole > 0
      ? [digits.slice(0, whole).padEnd(whole, '0'), digits.slice(whole)]
      : ['0', '0'.repeat(-whole) + digits];
  return `${number < 0 ? '-' : ''}${before}${after && `.${after}`}%`;
}
