import type { UnitInfo } from '../formatting/numbers.ts';

/** One value for each period, oldest first; undefined where there is none. */
export type PeriodValues = readonly (number | undefined)[];

/** Something that has a figure in every period: a field, a key of a list, a class of assets. */
export interface BreakdownComponent {
  /** What it is called in addresses, as files call its column: `atm`, `provinces.punjab`. */
  readonly key: string;
  /** What it is called on the page. */
  readonly title: string;
  /** What the API calls it, where that is something else. */
  readonly hint?: string | undefined;
  /** The field that it comes from. */
  readonly field: string;
  readonly measure: UnitInfo;
  readonly values: PeriodValues;
}

/** The part's last value that there is. */
export function getNewestValue({ values }: Pick<BreakdownComponent, 'values'>): number | undefined {
  return values.findLast((value) => value !== undefined);
}

/** A part whose values are the sums of others; undefined where none of them has a value. */
export function sumComponents(
  components: readonly BreakdownComponent[],
  known: Pick<BreakdownComponent, 'key' | 'title' | 'field' | 'measure'>,
): BreakdownComponent {
  const length = Math.max(0, ...components.map(({ values }) => values.length));
  const values = Array.from({ length }, (_, index) => {
    const given = components.flatMap((component) => component.values[index] ?? []);
    if (given.length === 0) return undefined;
    // The last digits only tell how doubles add up.
    return Number(given.reduce((sum, value) => sum + value, 0).toPrecision(12));
  });
  return { ...known, values };
}
