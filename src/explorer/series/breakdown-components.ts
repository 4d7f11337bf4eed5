import { formatNumber, type UnitInfo } from '../formatting/numbers.ts';

/** One value for each period, oldest first; undefined if there is none. */
export type PeriodValues = readonly (number | undefined)[];

/** A component of a breakdown with its figures by period: a field, a key of a list, or a class. */
export interface BreakdownComponent {
  /** Its name in URLs and of its column in files: `atm`, `provinces.punjab`. */
  readonly key: string;
  readonly title: string;
  /** The name of its field in the API, if it differs from the title. */
  readonly hint?: string | undefined;
  readonly field: string;
  readonly unitInfo: UnitInfo;
  readonly values: PeriodValues;
}

/** The sum of components in each period; undefined if none of them has a value. */
export function sumComponents(
  components: readonly BreakdownComponent[],
  labels: Pick<BreakdownComponent, 'key' | 'title'>,
): BreakdownComponent {
  const { field = '', unitInfo: unit = { kind: 'numbers', unit: null } } = components[0] ?? {};
  const decimals = components.flatMap(({ unitInfo }) => unitInfo.roundedTo ?? []);
  const unitInfo = decimals.length > 0 ? { ...unit, roundedTo: Math.max(...decimals) } : unit;
  const length = Math.max(0, ...components.map(({ values }) => values.length));
  const values = Array.from({ length }, (_, index) => {
    const present = components.flatMap((component) => component.values[index] ?? []);
    if (present.length === 0) return undefined;
    // Rounds away errors of binary fractions.
    return Number(present.reduce((sum, value) => sum + value, 0).toPrecision(12));
  });
  return { ...labels, field, unitInfo, values };
}

/** The domain of stacked percentages: 0 to 100, or further if sums exceed it. */
export function computePercentDomain(stack: readonly PeriodValues[]): [number, number] {
  const length = Math.max(0, ...stack.map((values) => values.length));
  const sums = Array.from({ length }, (_, index) => {
    const sum = (bound: typeof Math.max) =>
      stack.reduce((total, values) => total + bound(0, values[index] ?? 0), 0);
    return { low: sum(Math.min), high: sum(Math.max) };
  });
  const highest = Math.max(...sums.map(({ high }) => high));
  // Rounded shares may sum to slightly more than 100.
  return [Math.min(0, ...sums.map(({ low }) => low)), highest > 101 ? highest : 100];
}

/** A component with the colour that it has wherever it is drawn. */
export interface ColoredComponent extends BreakdownComponent {
  readonly colorIndex: number;
}

export interface Palette {
  readonly components: readonly ColoredComponent[];
  /** The components that share the neutral colour, if there are more components than colours. */
  readonly smallest: readonly BreakdownComponent[];
}

/** The colour of a total that is drawn with its components. */
export const TOTAL_COLOR = 9;

const NEUTRAL_COLOR = 7;
const HUE_COLORS = [1, 2, 3, 4, 5, 6, 8];
/** The neutral colour comes last because it is the least prominent. */
export const ALL_COLORS = [...HUE_COLORS, NEUTRAL_COLOR];

/**
 * Gives components their colours. If there are more components than colours, the largest seven get one each;
 * the others share the neutral one, combined into one component if they may be summed.
 */
export function assignColors(components: readonly BreakdownComponent[], canSum: boolean): Palette {
  if (components.length <= ALL_COLORS.length) {
    const colored = components.map((component, index) => ({
      ...component,
      colorIndex: ALL_COLORS[index] ?? NEUTRAL_COLOR,
    }));
    return { components: colored, smallest: [] };
  }
  const bySize = components.toSorted((a, b) => getNewestValue(b) - getNewestValue(a));
  const largest = new Set(bySize.slice(0, HUE_COLORS.length));
  const smallest = components.filter((component) => !largest.has(component));
  const hues = HUE_COLORS.values();
  const colored = components.map((component) => ({
    ...component,
    colorIndex: (largest.has(component) && hues.next().value) || NEUTRAL_COLOR,
  }));
  if (!canSum) return { components: colored, smallest };
  const withHue = colored.filter(({ colorIndex }) => colorIndex !== NEUTRAL_COLOR);
  const others = { ...combineAsOthers(smallest), colorIndex: NEUTRAL_COLOR };
  return { components: [...withHue, others], smallest };
}

/** The key of the combined components: no class or field has this name. */
export const OTHERS_KEY = '…';

export function combineAsOthers(components: readonly BreakdownComponent[]): BreakdownComponent {
  const title = `${components.length} others, together`;
  return sumComponents(components, { key: OTHERS_KEY, title });
}

function getNewestValue({ values }: BreakdownComponent): number {
  return values.findLast((value) => value !== undefined) ?? 0;
}

/** Formats a value that is already in percent. */
export function formatPercent(value: number): string {
  return `${formatNumber(value, 1)} %`;
}

export function parseHidden(text: string | undefined): ReadonlySet<string> {
  return new Set((text ?? '').split(',').filter(Boolean).map(decodeKey));
}

/** The URL parameter after hiding or showing a component. */
export function toggleHidden(hidden: ReadonlySet<string>, key: string, isShown = hidden.has(key)) {
  const others = [...hidden].filter((each) => each !== key);
  // A key may contain a comma.
  return (isShown ? others : [...others, key]).map(encodeURIComponent).join(',') || undefined;
}

/** A URL typed by hand may contain an unescaped percent sign. */
export function decodeKey(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
