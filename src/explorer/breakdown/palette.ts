import { type BreakdownComponent, getNewestValue, sumComponents } from './component.ts';

/** A part with the colour that it has wherever it is drawn. */
export interface ColoredComponent extends BreakdownComponent {
  readonly colorIndex: number;
}

export interface Palette {
  readonly parts: readonly ColoredComponent[];
  /** What is too much for the colours there are: those parts share the neutral one. */
  readonly rest: readonly BreakdownComponent[];
}

/** The whole, where it stands beside its parts. */
export const TOTAL_COLOR = 9;

const NEUTRAL_COLOR = 7;
const HUE_COLORS = [1, 2, 3, 4, 5, 6, 8];
/** The neutral one comes last: it looks like less than it is. */
const ALL_COLORS = [...HUE_COLORS, NEUTRAL_COLOR];

/**
 * Gives parts their colours. Where there are more than colours, the largest seven have one each;
 * the rest share the neutral one, as one part where they may be added up.
 */
export function assignColors(components: readonly BreakdownComponent[], canSum: boolean): Palette {
  if (components.length <= ALL_COLORS.length) {
    const own = components.map((component, index) => ({
      ...component,
      colorIndex: ALL_COLORS[index] ?? NEUTRAL_COLOR,
    }));
    return { parts: own, rest: [] };
  }
  const bySize = components.toSorted((one, other) => getSize(other) - getSize(one));
  const large = new Set(bySize.slice(0, HUE_COLORS.length));
  const small = components.filter((part) => !large.has(part));
  const hues = HUE_COLORS.values();
  const coloured = components.flatMap((part): ColoredComponent[] => {
    if (large.has(part)) return [{ ...part, colorIndex: hues.next().value ?? NEUTRAL_COLOR }];
    return canSum ? [] : [{ ...part, colorIndex: NEUTRAL_COLOR }];
  });
  if (!canSum) return { parts: coloured, rest: small };
  return {
    parts: [...coloured, { ...combineAsOthers(small), colorIndex: NEUTRAL_COLOR }],
    rest: small,
  };
}

/** What is known by it stands for all parts of the rest: nothing else is called so. */
export const OTHERS_KEY = '…';

/** Parts as one. */
export function combineAsOthers(components: readonly BreakdownComponent[]): BreakdownComponent {
  const { field = '', measure = { kind: 'numbers', unit: null } } = components[0] ?? {};
  return sumComponents(components, {
    key: OTHERS_KEY,
    title: `${components.length} others, together`,
    field,
    measure,
  });
}

function getSize(component: BreakdownComponent): number {
  return getNewestValue(component) ?? 0;
}
