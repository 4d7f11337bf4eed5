const ISIN_BODY_PATTERN = /^[A-Z]{2}[A-Z0-9]{9}$/;
const ISIN_PATTERN = /^[A-Z]{2}[A-Z0-9]{9}[0-9]$/;

/** Whether the text has the form of an ISIN; the check digit is not verified. */
export function hasIsinForm(text: string): boolean {
  return ISIN_PATTERN.test(text);
}

/** Whether the text is an ISIN (ISO 6166): upper case, twelve characters, the right check digit. */
export function isValidIsin(isin: string): boolean {
  return hasIsinForm(isin) && isinCheckDigit(isin.slice(0, 11)) === Number(isin[11]);
}

/** The check digit of the first eleven characters; throws for any other text. */
export function isinCheckDigit(body: string): number {
  if (!ISIN_BODY_PATTERN.test(body))
    throw new RangeError(`not the first eleven characters of an ISIN: ${body}`);
  const digits = [...body].flatMap((character) => [...String(Number.parseInt(character, 36))]);
  const sum = digits.reduceRight((total, digit, index) => {
    // Luhn doubles every second digit, starting next to the check digit.
    const isDoubled = (digits.length - index) % 2 === 1;
    const value = Number(digit) * (isDoubled ? 2 : 1);
    return total + (value > 9 ? value - 9 : value);
  }, 0);
  return (10 - (sum % 10)) % 10;
}
