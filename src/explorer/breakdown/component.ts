import type { UnitInfo } from '../formatting/numbers.ts';

/** One value for each period, oldest first; undefined where there is none. */
export type PeriodValues = readonly (number | undefined)[];

/** What has a figure in every period: a field, a key of a list, an asset class. */
export interface BreakdownComponent {
  /** Its name in URLs, which is that of its column in files: `atm`, `provinces.punjab`. */
  readonly key: string;
  readonly title: string;
  /** The name of its field in the API, where that differs from the title. */
  readonly hint?: string | undefined;
  readonly field: string;
  readonly unitInfo: UnitInfo;
  readonly values: PeriodValues;
}

/** The sum of components in each period; undefined where none of them has a value. */
export function sumComponents(
  components: readonly BreakdownComponent[],
  labels: Pick<BreakdownComponent, 'key' | 'title'>,
): BreakdownComponent {
  const { field = '', unitInfo = { kind: 'numbers', unit: null } } = components[0] ?? {};
  const length = Math.max(0, ...components.map(({ values }) => values.length));
  const values = Array.from({ length }, (_, index) => {
    const present = components.flatMap((component) => component.values[index] ?? []);
    if (present.length === 0) return undefined;
    // Without the rounding errors of binary fractions.
    return Number(present.reduce((sum, value) => sum + value, 0).toPrecision(12));
  });
  return { ...labels, field, unitInfo, values };
}

/** The domain of stacked percentages: 0 to 100, and further where their sums go further. */
export function computePercentDomain(stack: readonly PeriodValues[]): [number, number] {
  const length = Math.max(0, ...stack.map((values) => values.length));
  const sums = Array.from({ length }, (_, index) => {
    const sum = (bound: typeof Math.max) =>
      stack.reduce((total, values) => total + bound(0, values[index] ?? 0), 0);
    return { low: sum(Math.min), high: sum(Math.max) };
  });
  const highest = Math.max(...sums.map(({ high }) => high));
  // Rounded shares may add up to a little more than 100.
  return [Math.min(0, ...sums.map(({ low }) => low)), highest > 101 ? highest : 100];
}
