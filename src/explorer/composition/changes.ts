import { changeOf, grouped, type Measure, signed, unitOf } from '../figures/figures.ts';
import type { Part, Values } from './part.ts';

/** Each value against the one so many places before: in percent, of shares in percentage points. */
export function changesOf(
  { values, measure }: Pick<Part, 'values' | 'measure'>,
  step: number,
): Values {
  return values.map((value, index) => changeBetween(value, values[index - step], measure));
}

/** The same for two values. */
export function changeBetween(
  later: number | undefined,
  earlier: number | undefined,
  measure: Measure,
): number | undefined {
  if (!isShare(measure)) return changeOf(later, earlier);
  if (later === undefined || earlier === undefined) return undefined;
  return (later - earlier) * (measure.kind === 'share' ? 100 : 1);
}

/** Whether values are parts of a hundred, so that they differ by percentage points. */
export function isShare(measure: Measure): boolean {
  return unitOf(measure) === '%';
}

/** What changes of such values are in. */
export function changeUnit(measure: Measure): '%' | 'pp' {
  return isShare(measure) ? 'pp' : '%';
}

/** A change with its sign and unit: `+4.2 %`, `−1.3 pp`. */
export function changeWords(change: number, measure: Measure): string {
  return `${signed(change, 1)} ${changeUnit(measure)}`;
}

/** A value that is in percent already. */
export function percentWords(value: number): string {
  return `${grouped(value, 1)} %`;
}
