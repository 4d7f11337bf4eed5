const MONTH_NAMES = [
  'january',
  'february',
  'march',
  'april',
  'may',
  'june',
  'july',
  'august',
  'september',
  'october',
  'november',
  'december',
];

/** 1 to 12 for an English name, complete or of three letters, or Sept, in any letter case. */
export function parseMonthName(name: string): number | undefined {
  const lowerCase = name.toLowerCase().replace(/^sept$/, 'sep');
  const index = MONTH_NAMES.findIndex(
    (month) => lowerCase === month || lowerCase === month.slice(0, 3),
  );
  return index < 0 ? undefined : index + 1;
}

/** A year of two or four digits; two from 70 on belong to the last century, as in `FY99`. */
export function expandTwoDigitYear(digits: string): number {
  const year = Number(digits);
  if (digits.length > 2) return year;
  return year + (year < 70 ? 2000 : 1900);
}
