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

/** 1 to 12 for an English name, whole or of three letters, or Sept; letter case is ignored. */
export function parseMonthName(name: string): number | undefined {
  const sought = name.toLowerCase().replace(/^sept$/, 'sep');
  const at = MONTH_NAMES.findIndex((whole) => sought === whole || sought === whole.slice(0, 3));
  return at < 0 ? undefined : at + 1;
}

/** The year of two or four digits; two from 70 on are of the last century, as in `FY99`. */
export function expandTwoDigitYear(digits: string): number {
  const year = Number(digits);
  if (digits.length > 2) return year;
  return year + (year < 70 ? 2000 : 1900);
}
