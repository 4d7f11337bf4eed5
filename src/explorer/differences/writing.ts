import { dayWords, instantWords } from '../figures/days.ts';
import { decimalsOf, figure, grouped, inUnit, type Measure, NONE } from '../figures/figures.ts';

/** Two values as texts, without their unit. */
interface Pair {
  readonly old: string;
  readonly new: string;
}

/**
 * As the page writes both, or to the last digit. Where they would look alike, with as many more
 * decimals as tell them apart, but none that a value has not: `100.04` and `100.02`, where one
 * decimal is usual.
 */
export function pairOf(old: unknown, later: unknown, field: Measure, isExact = false): Pair {
  const isRounded = !isExact && typeof (old ?? later) === 'number';
  if (isRounded && typeof old === 'number' && typeof later === 'number') {
    return numbersOf(old, later, field);
  }
  const write = isRounded ? figure : exactly;
  const pair = { old: write(old, field), new: write(later, field) };
  const areAlike = old !== later && pair.old === pair.new;
  return areAlike ? { old: String(old), new: String(later) } : pair;
}

function numbersOf(old: number, later: number, field: Measure): Pair {
  const both = [old, later].map((value) => {
    const written = inUnit(value, field);
    const most = number(written).split('.')[1]?.length ?? 0;
    return { written, usual: decimalsOf(value, field), most };
  });
  const end = Math.max(...both.map(({ most }) => most));
  let decimals = Math.max(...both.map(({ usual }) => usual));
  const areAlike = () => new Set(both.map(({ written }) => grouped(written, decimals))).size < 2;
  while (decimals < end && areAlike()) decimals++;
  const [was = '', is = ''] = both.map(({ written, usual, most }) =>
    grouped(written, Math.max(usual, Math.min(decimals, most))),
  );
  return { old: was, new: is };
}

/** A value to its last digit, without its unit: `11.129927`, `1,204.75`. */
export function exactly(value: unknown, field: Measure): string {
  if (value === undefined || value === null) return NONE;
  if (typeof value === 'number') return number(inUnit(value, field));
  if (typeof value !== 'string') return JSON.stringify(value);
  if (field.kind === 'day') return dayWords(value);
  return field.kind === 'instant' ? instantWords(value) : value;
}

/** How much more the later value is: `+0.5`, `−1,000`; undefined where they are no numbers. */
export function gap(old: unknown, later: unknown, field: Measure): string | undefined {
  if (typeof old !== 'number' || typeof later !== 'number') return undefined;
  // The difference of two decimals has digits that neither has.
  const difference = Number((later - old).toPrecision(12));
  const text = number(inUnit(difference, field));
  return difference > 0 ? `+${text}` : text;
}

function number(value: number): string {
  return FORMAT.format(value).replace('-', '−');
}

const FORMAT = new Intl.NumberFormat('en', { maximumFractionDigits: 20 });
