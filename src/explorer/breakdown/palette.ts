import { type BreakdownComponent, sumComponents } from './component.ts';

/** A component with the colour that it has wherever it is drawn. */
export interface ColoredComponent extends BreakdownComponent {
  readonly colorIndex: number;
}

export interface Palette {
  readonly components: readonly ColoredComponent[];
  /** The components that share the neutral colour, where there are more than colours. */
  readonly smallest: readonly BreakdownComponent[];
}

/** The colour of a total that is drawn with its components. */
export const TOTAL_COLOR = 9;

const NEUTRAL_COLOR = 7;
const HUE_COLORS = [1, 2, 3, 4, 5, 6, 8];
/** The neutral colour comes last because it is the least prominent. */
const ALL_COLORS = [...HUE_COLORS, NEUTRAL_COLOR];

/**
 * Gives components their colours. Where there are more than colours, the largest seven have one
 * each; the others share the neutral one, as one component where they may be added up.
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
