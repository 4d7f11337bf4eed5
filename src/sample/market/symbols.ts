import { formatDay } from '../../calendar.ts';

/** A symbol such as `Z05PIB150930`: issuer, tenor, kind, and maturity as ddmmyy. */
export function formatSymbol(
  issuer: string,
  tenor: number,
  kind: string,
  maturity: number,
): string {
  const [year, month, day] = formatDay(maturity).split('-');
  return `${issuer}${String(tenor).padStart(2, '0')}${kind}${day}${month}${year?.slice(2)}`;
}
