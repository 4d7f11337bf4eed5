import { dayWords, instantWords } from '../figures/days.ts';
import { NONE } from '../figures/figures.ts';
import type { FieldEntry } from '../service/catalogue.ts';

type Measured = Pick<FieldEntry, 'kind' | 'unit'>;

/**
 * A value to its last digit, without its unit: `11.129927`, `1,204.75`. Elsewhere the page rounds;
 * here two values that differ must never look alike.
 */
export function exactly(value: unknown, field: Measured): string {
  if (value === undefined || value === null) return NONE;
  if (typeof value === 'number') return number(field.kind === 'share' ? percent(value) : value);
  if (typeof value !== 'string') return JSON.stringify(value);
  if (field.kind === 'day') return dayWords(value);
  return field.kind === 'instant' ? instantWords(value) : value;
}

/** How much more the later value is: `+0.5`, `−1,000`; undefined where they are no numbers. */
export function gap(old: unknown, later: unknown, { kind }: Measured): string | undefined {
  if (typeof old !== 'number' || typeof later !== 'number') return undefined;
  // The difference of two decimals has digits that neither has.
  const difference = Number((later - old).toPrecision(12));
  const text = number(kind === 'share' ? percent(difference) : difference);
  return difference > 0 ? `+${text}` : text;
}

function number(value: number): string {
  return FORMAT.format(value).replace('-', '−');
}

/** A fraction of one in percent, without the digits that only multiplying makes. */
function percent(fraction: number): number {
  return Number((fraction * 100).toPrecision(15));
}

const FORMAT = new Intl.NumberFormat('en', { maximumFractionDigits: 20 });
